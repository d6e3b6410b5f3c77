// The counting seat (docs/gesture.md), to print and to adapt. OpenSCAD, millimetres.
//
// x: to and fro, the direction of a tap; y: across; z: up from the base's top. The ring's centre is above the origin.
//
//   openscad -D 'part="ring"' -D floor_across=52.4 -o ring.stl seat.scad
//
// Print ring, carriage, post and notch once, and jaw eight times. `python -m benchmarks.seat_parts` prints the parts'
// masses, the seat's natural frequencies, and whether anything touches. The picture of it (docs/img/seat.png):
//
//   openscad -D '$fn=128' -o seat.png --imgsize 1400,1000 --camera=-3,-2,10,68,0,35,500 --colorscheme=Tomorrow seat.scad

/* [Your igloo] */
// diameter of its floor, by calipers
floor_across = 50;
// width of an opening in the rim, for an igloo with a tunnel; 0 for none
door = 0;

/* [What to make] */
part = "all"; // [all, ring, carriage, post, notch, jaw, leaves, touching]
// displacement of the ring to and fro, and of carriage and ring up and down: to check that nothing touches
to_and_fro = 0;
up_and_down = 0;

/* [Leaves] */
leaf_wide = 12.7;
standing_thick = 0.30;
standing_free = 40;
standing_apart = 45;
lying_thick = 0.60;
lying_free = 37;
lying_apart = 20;
clamped = 10;

/* [Base] */
base = [150, 150, 30];
// offset of the ring from the base's centre, across, to leave room for the post
off_middle = 15;

/* [Printing] */
play = 0.3; // how much wider the recess is than the floor
jaw_thick = 3;
jaw_wide = 22;
screw = 2.8; // clearance hole for M2.5
pilot = 2.1; // M2.5 cuts its own thread
screws_apart = 16.8; // they pass beside the leaf
plate = 1.8; // below the igloo
rim_high = 4;
rim_thick = 1.6;
nub_high = 1;
nub_across = 4;
nub_long = 12; // along the rim: on short nubs the igloo's weight shears the tape, differently each time
block = 6.5; // thickness of what a jaw is screwed to
pencil = 8;
pencil_slope = 25; // degrees
notch_high = 25; // where the pencil's tip ends
notch_beside = 40;

$fn = 64;

assert(floor_across >= 35 && floor_across <= 80, "floor_across: the seat is drawn for igloos of 35 to 80 mm");
assert(door < floor_across, "door: the opening in the rim is narrower than the floor");

// heights
lower = 12; // the standing leaves' lower jaws
upper = lower + clamped + standing_free;
plate_at = upper + clamped;
lying_at = lower + clamped / 2 - lying_apart / 2; // the mid-plane of the lower lying leaf
carriage_y = jaw_wide / 2; // the lying leaves' clamped ends start here
post_y = carriage_y + clamped + lying_free;

face = standing_apart / 2 - standing_thick / 2; // outer face of the blocks that the standing leaves lie against
body_high = lying_apart - lying_thick; // height of the body that the lying leaves lie against
recess = floor_across + play;
across = recess + 2 * rim_thick;

module two_screws(across) {
    for (side = [-1, 1]) translate([0, side * screws_apart / 2, 0]) cylinder(d = across, h = 40, center = true);
}

// flat on the bed; the screws are countersunk on its upper side
module jaw() {
    difference() {
        translate([-clamped / 2, -jaw_wide / 2, 0]) cube([clamped, jaw_wide, jaw_thick]);
        two_screws(screw);
        for (side = [-1, 1]) translate([0, side * screws_apart / 2, jaw_thick - 1.4])
            cylinder(d1 = screw, d2 = screw + 2.8, h = 1.41);
    }
}

// two blocks, from z = `at` up; the standing leaves lie against their outer faces
module standing_blocks(at) {
    for (side = [-1, 1]) difference() {
        translate([side > 0 ? face - block : -face, -jaw_wide / 2, at]) cube([block, jaw_wide, clamped]);
        translate([side * face, 0, at + clamped / 2]) rotate([0, 90, 0]) two_screws(pilot);
    }
}

// a block between the lying leaves, from y = `at` on, `deep` long
module lying_block(at, deep) {
    difference() {
        translate([-jaw_wide / 2, at, lying_at + lying_thick / 2]) cube([jaw_wide, deep, body_high]);
        for (end = [0, 1]) translate([0, at + clamped / 2, lying_at + lying_thick / 2 + end * body_high])
            rotate([0, 0, 90]) intersection() {
                two_screws(pilot);
                cube([40, 40, 16], center = true); // pilot holes 8 deep
            }
    }
}

module ring() {
    standing_blocks(upper);
    // the bar that carries the blocks; flat below, for the sensor
    translate([-face, -jaw_wide / 2, plate_at]) cube([2 * face, jaw_wide, plate]);
    translate([0, 0, plate_at]) difference() {
        cylinder(d = across, h = plate + rim_high);
        translate([0, 0, plate]) cylinder(d = recess, h = rim_high + 1);
        // cut away what carries no load
        translate([0, 0, -1]) difference() {
            cylinder(d = recess - 14, h = plate + 2);
            translate([-recess, -jaw_wide / 2, 0]) cube([2 * recess, jaw_wide, plate + 3]);
        }
        if (door > 0) translate([0, -door / 2, plate]) cube([across, door, rim_high + 1]);
    }
    for (k = [0:2]) rotate(90 + 120 * k) hull() for (end = [-1, 1])
        translate([recess / 2 - 4, end * (nub_long - nub_across) / 2, plate_at + plate])
            cylinder(d = nub_across, h = nub_high);
}

module carriage() {
    standing_blocks(lower);
    // between the blocks: a floor and two walls, no heavier than necessary
    translate([-face, -jaw_wide / 2, lower]) cube([2 * face, jaw_wide, 2]);
    for (side = [-1, 1]) translate([-face, side > 0 ? jaw_wide / 2 - 2.4 : -jaw_wide / 2, lower])
        cube([2 * face, 2.4, clamped]);
    difference() {
        union() {
            lying_block(carriage_y, clamped);
            hull() { // sloped, so that it prints without supports
                translate([-jaw_wide / 2, carriage_y - 6, lower]) cube([jaw_wide, 6, clamped]);
                translate([-jaw_wide / 2, carriage_y - 0.1, lying_at + lying_thick / 2])
                    cube([jaw_wide, 0.2, body_high]);
            }
        }
        // hollow between the screws
        translate([-5.5, carriage_y - 7, lower + 2]) cube([11, clamped + 5, clamped - 4]);
    }
}

module post() {
    lying_block(post_y, clamped);
    translate([-jaw_wide / 2, post_y + clamped, 0]) cube([jaw_wide, 12, lying_at + lying_thick / 2 + body_high]);
    translate([-25, post_y + clamped, 0]) cube([50, 12, 4]);
}

module notch() {
    along = [0, 180 + pencil_slope, 0]; // direction from the tip's end up along the pencil
    difference() {
        hull() {
            translate([-notch_beside, 0, notch_high]) rotate(along) translate([-6, -8, -7]) cube([38, 16, 14]);
            translate([-notch_beside - 27, -12, 0]) cube([36, 24, 3]);
        }
        translate([-notch_beside, 0, notch_high]) rotate(along) rotate([0, 90, 0]) hull() {
            cylinder(d = pencil + 0.6, h = 80);
            translate([30, 0, 0]) cylinder(d = pencil + 6, h = 80);
        }
    }
}

module standing_jaws(at) {
    for (turn = [0, 180]) rotate([0, 0, turn])
        translate([face + standing_thick, 0, at + clamped / 2]) rotate([0, 90, 0]) jaw();
}

module lying_jaws(at) {
    translate([0, at + clamped / 2, lying_at + lying_apart + lying_thick / 2]) rotate([0, 0, 90]) jaw();
    translate([0, at + clamped / 2, lying_at - lying_thick / 2]) rotate([180, 0, 90]) jaw();
}

module leaves() {
    for (side = [-1, 1]) translate([side * standing_apart / 2 - standing_thick / 2, -leaf_wide / 2, lower])
        cube([standing_thick, leaf_wide, standing_free + 2 * clamped]);
    for (end = [0, 1]) translate([-leaf_wide / 2, carriage_y, lying_at + end * lying_apart - lying_thick / 2])
        cube([leaf_wide, lying_free + 2 * clamped, lying_thick]);
}

module tile() { translate([-base.x / 2, -base.y / 2 + off_middle, -base.z]) cube(base); }
module fixed() { post(); lying_jaws(post_y); notch(); tile(); }
module carried() { translate([0, 0, up_and_down]) { carriage(); standing_jaws(lower); lying_jaws(carriage_y); } }
module rung() { translate([to_and_fro, 0, up_and_down]) { ring(); standing_jaws(upper); } }
module pencil_there() {
    translate([-notch_beside, 0, notch_high]) rotate([0, 180 + pencil_slope, 0]) rotate([0, 90, 0])
        cylinder(d = pencil, h = 120);
}

// each part in its printing orientation on the bed
if (part == "ring") translate([0, 0, -upper]) ring(); // with supports under the rim
else if (part == "carriage") translate([0, 0, jaw_wide / 2]) rotate([90, 0, 0]) carriage();
else if (part == "post") translate([0, 0, post_y + clamped + 12]) rotate([-90, 0, 0]) post();
else if (part == "notch") notch();
else if (part == "jaw") jaw();
else if (part == "leaves") leaves();
// the intersection of bodies that may not touch: it must be empty
else if (part == "touching") {
    intersection() { fixed(); union() { carried(); rung(); } }
    intersection() { carried(); rung(); }
    intersection() { pencil_there(); union() { carried(); rung(); } }
}
else {
    color("lightsteelblue") leaves();
    color("orange") rung();
    color("goldenrod") carried();
    color("dimgray") { post(); notch(); lying_jaws(post_y); }
    color("lightgray") tile();
    color("black") for (x = [-1, 1], y = [-1, 1])
        translate([x * (base.x / 2 - 15), y * (base.y / 2 - 15) + off_middle, -base.z - 12]) cylinder(d = 20, h = 12);
    color("peru") pencil_there();
    color("white", 0.5) translate([0, 0, plate_at + plate + nub_high]) difference() {
        intersection() {
            sphere(d = floor_across);
            translate([0, 0, floor_across / 2]) cube(floor_across, center = true);
        }
        translate([0, 0, 1.6]) sphere(d = floor_across - 4);
    }
}

r"""Train the networks that ship with the product (sensors/ear/shakes/nets), on simulated shakes alone.

    all="--sensor microphone --sensor contact --sensor accelerometer"
    for seed in 505 606; do polartable simulate shakes --out a$seed --devices 48 --players 24 --sessions 4 \
        --anchors 1,14,15,16 --seed $seed $all; done
    for seed in 707 808; do polartable simulate shakes --out a$seed --devices 48 --players 24 --sessions 4 \
        --anchors 1,14,15,16 --seed $seed --rate 3200 $all; done
    for seed in 909 910; do polartable simulate shakes --out a$seed --devices 28 --players 24 --sessions 3 \
        --wide --seed $seed --rate 3200 $all; done
    for seed in 11 12 13; do
        python -m benchmarks.worlds.other_world --wide --out w$seed --devices 24 --players 12 --sessions 3 \
            --seed $seed; done
    python -m benchmarks.worlds.other_world --wide --out w16 --devices 24 --players 12 --sessions 3 --seed 16 \
        --rate 3200
    python -m benchmarks.worlds.other_world --wide --odd --out w17 --devices 24 --players 12 --sessions 3 --seed 17 \
        --rate 3200
    python -m benchmarks.worlds.other_world --out w6 --devices 6 --seed 6
    python -m benchmarks.worlds.third_world --out b301 --shells 3 --devices 30 --players 15 --sessions 3 --seed 301 \
        --rate 3200
    python -m benchmarks.worlds.drawn_world --engine hw_mock --out dh --devices 36 --shells 4 --seed 9102
    python -m benchmarks.worlds.drawn_world --engine mujoco --out dm --devices 6 --shells 8 --seed 93
    python -m benchmarks.worlds.drawn_world --engine bullet --out db --devices 6 --shells 8 --seed 83
    first="a505 a606 a707 a808 a909 a910 --other w11 w12 w13 w16 w17 w6"
    for rate in 800 1600 3200; do python -m benchmarks.learning.make_nets $first --front accelerometer-$rate; done
    python -m benchmarks.learning.make_nets $first --other b301 --front microphone-44100
    for rate in 800 1600 3200; do
        python -m benchmarks.learning.make_nets $first --other dh dm db --go-on --epochs 6 \
            --front accelerometer-$rate; done
    python -m benchmarks.learning.make_nets $first --other b301 --other dh dm db --go-on --epochs 5 \
        --front microphone-44100
    python -m benchmarks.learning.make_nets $first --other b301 --company 3900 --epochs 7 --front microphone-44100
    python -m benchmarks.worlds.drawn_world --engine hw_mock --out dh2 --devices 44 --sessions 2 --shells 4 --seed 92
    python -m benchmarks.worlds.drawn_world --engine mujoco --out dm2 --devices 12 --sessions 2 --shells 8 --seed 92
    python -m benchmarks.worlds.drawn_world --engine bullet --out db2 --devices 14 --sessions 2 --shells 8 --seed 92
    more="$first --other b301 --other dh dm db --other dh2 dm2 db2 --go-on --seed 3"
    python -m benchmarks.learning.make_nets $more --epochs 6 --keep 0.4 --front accelerometer-800
    python -m benchmarks.learning.make_nets $more --epochs 9 --keep 0.4 --front accelerometer-1600
    python -m benchmarks.learning.make_nets $more --epochs 7 --keep 0.4 --front accelerometer-3200
    python -m benchmarks.learning.make_nets $more --epochs 6 --front microphone-44100

    touched="--players 24 --sensor contact"
    for seed in 515 616; do polartable simulate shakes --out c$seed --devices 48 --sessions 4 --anchors 1,14,15,16 \
        --seed $seed $touched; done
    polartable simulate shakes --out c919 --devices 28 --sessions 3 --wide --seed 919 $touched
    python -m benchmarks.worlds.other_world --wide --out v11 --devices 12 --players 12 --sessions 3 --seed 11
    python -m benchmarks.worlds.other_world --wide --out w31 --devices 10 --players 12 --sessions 3 --seed 31 \
        --rate 3200
    python -m benchmarks.worlds.other_world --wide --out w81 --devices 16 --players 8 --seed 81 --rate 3332
    python -m benchmarks.worlds.third_world --out b311 --shells 3 --devices 24 --players 12 --sessions 3 --seed 311 \
        --rate 3200
    python -m benchmarks.worlds.third_world --out b501 --devices 18 --players 8 --sessions 3 --seed 501
    python -m benchmarks.worlds.drawn_world --engine mujoco --out dm3 --devices 9 --sessions 2 --shells 8 --seed 92
    python -m benchmarks.worlds.drawn_world --engine bullet --out db3 --devices 7 --sessions 2 --shells 8 --seed 92
    python -m benchmarks.learning.make_nets c515 c616 c919 --other v11 w31 w81 dm3 --other b311 b501 db3 --epochs 12 \
        --front contact-44100
    python -m benchmarks.learning.make_nets c515 c616 c919 --other v11 w31 w81 dm3 --other b311 b501 db3 --go-on \
        --epochs 6 --seed 1 --front contact-44100

    felt="--players 24 --sensor accelerometer"
    for seed in 515 626 727; do polartable simulate shakes --out e$seed --devices 48 --sessions 4 \
        --anchors 1,14,15,16 --seed $seed --rate 3200 $felt; done
    polartable simulate shakes --out e929 --devices 28 --sessions 3 --wide --seed 929 --rate 3200 $felt
    polartable simulate shakes --out e404 --devices 48 --sessions 3 --seed 404 $felt
    python -m benchmarks.worlds.drawn_world --engine hw_mock --out dh4 --devices 5 --shells 5 --sessions 3 --seed 71
    python -m benchmarks.worlds.drawn_world --engine mujoco --out dm4 --devices 3 --shells 6 --sessions 3 --seed 71
    python -m benchmarks.worlds.drawn_world --engine bullet --out db4 --devices 4 --shells 6 --sessions 3 --seed 71
    python -m benchmarks.worlds.drawn_world --engine mujoco --out dm5 --devices 10 --sessions 2 --shells 8 --seed 94
    python -m benchmarks.worlds.drawn_world --engine mujoco --out dm6 --devices 12 --sessions 2 --shells 8 --seed 95
    python -m benchmarks.worlds.other_world --wide --out v12 --devices 9 --players 12 --sessions 3 --seed 12
    python -m benchmarks.worlds.other_world --wide --out w32 --devices 20 --players 12 --sessions 3 --seed 32 \
        --rate 3200
    for rate in 800 1600; do
        python -m benchmarks.learning.make_nets e515 e626 e727 e929 e404 dh4 --other w31 w32 v12 dm3 dm4 dm5 dm6 \
            --other b311 b501 db3 db4 --go-on --epochs 6 --keep 0.3 --seed 1 --front accelerometer-$rate; done

There is one network for each front end that `--front` names, or for all (none ships for microphone-16000). Contact
microphones and those in the room share one; those on the shell have a second for the highest bands. Training starts
with the recordings of the engines' own sensors. It continues with recordings of the impacts of three engines by sensors
drawn at random as well (worlds/drawn_world.py), and then repeatedly with more of them; from then on accelerometers also
see the shake's axes, and Bullet's own recordings. The network of company continues from the earlier network of the
microphones. An accelerometer at 3200 Hz serves the front ends of all rates. Training needs PyTorch
(`tools/setup learn`; on x86 its wheels bring NVIDIA libraries of several gigabytes, which nothing here uses).
Afterwards the profiles must be fitted again (make_profiles.py), because the network's outputs are among their features.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.learning.company_takes import alone, company
from benchmarks.learning.net_takes import read
from benchmarks.worlds.engines import add_folders, engines_of
from calibration.recordings.folder import Recording
from sensors.ear.frames.frontend import FRONT_ENDS, ON_THE_SHELL, FrontEnd
from sensors.ear.seats.company import in_company_of
from sensors.ear.shakes.net import NETS, digest_of

EPOCHS = {"accelerometer": 16, "microphone": 10}
ALONE = 2400  # takes of one igloo, in addition to those of company
Shares = npt.NDArray[np.float64]
FRONTS = tuple(front.name for front in FRONT_ENDS)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_folders(parser)
    parser.add_argument("--front", choices=FRONTS, action="append", help="only this front end")
    parser.add_argument("--epochs", type=int, help="how often each take is seen")
    parser.add_argument(
        "--go-on", action="store_true", help="with the networks in NETS, more slowly, not from nothing"
    )
    parser.add_argument(
        "--keep",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="of the weights it went on from in those that are written",
    )
    parser.add_argument(
        "--company",
        type=int,
        metavar="TABLES",
        help="go on to a network of company, from so many tables' takes",
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--into", type=Path, default=NETS)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    if options.keep and (options.company is not None or not options.go_on):
        parser.error("--keep goes with --go-on, and not with --company")
    try:
        from benchmarks.learning.net_training import between, learn
    except ModuleNotFoundError as error:
        sys.exit(f"{error.name} is not installed here: run tools/setup learn")
    for front in FRONT_ENDS:
        if front.name not in (options.front or FRONTS):
            continue
        complaints: list[Exception] = []
        engines = engines_of(options)
        takes = list(
            read(
                [folder for engine in engines for folder in engine],
                front,
                partial(_wanted, front, options.company is not None),
                complaints.append,
                options.jobs,
                raw=options.company is not None,
            )
        )
        print(f"{front.name}: {len(takes)} takes, {len(complaints)} could not be used", file=sys.stderr)
        shares = shares_of(
            [take.folder for take in takes],
            [{f.name for f in engine} for engine in engines],
        )
        epochs = options.epochs or EPOCHS[front.sensor]
        name, start = front.name, None
        if options.go_on or options.company is not None:
            with np.load(NETS / f"{name}.npz", allow_pickle=False) as kept:
                start = {key: kept[key] for key in kept.files}
        if options.company is not None:
            name = in_company_of(name)
            takes = list(company(front, takes, options.company, options.seed)) + alone(takes, ALONE)
            shares = np.full(len(takes), 1 / len(takes))
        numbers = learn(front, takes, shares, epochs, options.seed, _tell, start)
        if start is not None and options.keep:
            numbers = between(front, start, numbers, options.keep)
        options.into.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(options.into / f"{name}.npz", allow_pickle=False, **numbers)
        print(f"{name}: {sum(v.size for v in numbers.values())} numbers, {digest_of(numbers)}")


def _wanted(front: FrontEnd, company: bool, recording: Recording) -> bool:
    """Whether a recording is used; for company only microphones in the room, because seats' microphones are there."""
    place = recording.more.get("place")
    if front.name in ON_THE_SHELL:
        return place == "shell"
    return place != "near" and not (company and place == "shell")


def _tell(epoch: int, loss: float) -> None:
    print(f"epoch {epoch + 1}: {loss:.3f}", file=sys.stderr)


def shares_of(folders: list[str], engines: list[set[str]]) -> Shares:
    """How often each take is drawn: all engines equally often, however many takes each has."""
    shares = np.zeros(len(folders))
    for names in engines:
        inside = np.array([folder in names for folder in folders])
        shares += inside / max(1, inside.sum())
    return np.asarray(shares / shares.sum())


if __name__ == "__main__":
    main()

"""Simulated worlds other than `hw_mock`'s: MuJoCo's, Bullet's, a discrete element one, and sensors drawn at random."""

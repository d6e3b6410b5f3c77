"""Four simulated cubes: hands that move them, MEMS sensors with errors, nodes that speak the real wire protocol.

Most people want `SimulatedTable`: four cubes behind four pseudo-terminals, and hands.
"""

from hw_mock.cubes.hands import Hands
from hw_mock.cubes.mems import BMI270, LSM6DSO, SensorModel
from hw_mock.cubes.table import SimulatedTable
from hw_mock.cubes.tempers import TEMPERS, Temper

__all__ = ["BMI270", "LSM6DSO", "TEMPERS", "Hands", "SensorModel", "SimulatedTable", "Temper"]

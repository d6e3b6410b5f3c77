"""The ear's own quantiles are np.quantile's."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from sensors.ear.shakes.quantiles import quantiles

shares = st.lists(st.floats(0, 1), min_size=1, max_size=5).map(tuple)


@given(arrays(np.float64, array_shapes(max_dims=2), elements=st.floats(-1e6, 1e6)), shares)
def test_as_numpy_tells_them(values: np.ndarray, shares: tuple[float, ...]) -> None:
    np.testing.assert_allclose(quantiles(values, shares), np.quantile(values, shares, axis=0), atol=1e-9)

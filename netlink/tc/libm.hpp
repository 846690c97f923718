// The C library's functions that few lines need: loading them costs each start some 6 % (perf/start.py).
#pragma once

namespace nlstream::tc {

/// log(3) and pow(3), of libm, which is loaded when one of them is asked for first. Throw std::runtime_error without it.
double log(double value);
double pow(double base, double exponent);

}  // namespace nlstream::tc

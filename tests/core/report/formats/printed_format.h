#pragma once

#include <ostream>

#include "core/report/formats/format.h"

namespace ulp::report {

/// Found by GoogleTest, which otherwise prints the bytes of the structure.
// NOLINTNEXTLINE(readability-identifier-naming): the name that it looks for
inline void PrintTo(const Format& format, std::ostream* out) {
  *out << format.id;
}

}  // namespace ulp::report

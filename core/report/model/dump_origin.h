#pragma once

#include <filesystem>
#include <string>

#include "core/base/unit_axes.h"

namespace ulp::report {

/// A dump that was compared, and which of its units; empty axes: all of them.
struct DumpSide {
  std::filesystem::path path;
  UnitAxes units{};

  friend bool operator==(const DumpSide&, const DumpSide&) = default;
};

/// What a report of a comparison of dumps was made from: enough to make it again and to find its
/// tensors.
struct DumpOrigin {
  DumpSide baseline;
  DumpSide candidate;
  std::string mapping{};      ///< content of the mapping file; empty: none
  bool readsElements = true;  ///< false: recorded statistics and checksums alone

  friend bool operator==(const DumpOrigin&, const DumpOrigin&) = default;
};

}  // namespace ulp::report

#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/dumps/model/dump.h"

namespace ulp::dumps {

/// Names of rows in formats that have nothing but names. A row is called as in its dump, with what
/// it is behind it where the name alone does not say that it is no forward value:
/// "decoder.0.backward", "model.norm.weight.parameter_gradient". So both sides of a comparison get
/// the same names whatever else is exported with them.
[[nodiscard]] std::string exportedName(const DumpEntry& entry, const DumpRow& row);

/// Makes names of one place differ: the second of a name gets " (2)" behind it, or "_2" in front of
/// the `before` that it ends with.
class UniqueNames {
 public:
  [[nodiscard]] std::string make(std::string name, std::string_view before = {});

 private:
  std::unordered_set<std::string> m_used;
  std::unordered_map<std::string, std::size_t> m_next;  ///< number, of names that came again
};

/// A relative path that stays below its folder: "/" in the name makes folders, "..", empty and too
/// long parts are replaced; one that is too long as a whole has no folders. Without an extension.
[[nodiscard]] std::filesystem::path pathOfName(std::string_view name);

/// "bf16/step0/rank1/token2": all axes that the unit has.
[[nodiscard]] std::filesystem::path placeOfAxes(const UnitAxes& axes);
/// That, or nothing for the only unit of a dump.
[[nodiscard]] std::filesystem::path placeOfUnit(const UnitAxes& axes, bool isOnly);
/// The name of a folder or file made of any text: letters, digits and `allowed` stay, others become
/// "_".
[[nodiscard]] std::string plainName(std::string_view text, std::string_view allowed);
/// At most 200 bytes: what is longer is cut and ends in a checksum of the whole.
[[nodiscard]] std::string shortened(std::string name);

/// Of the entry that holds a row; entries stand in the order of their rows.
[[nodiscard]] std::vector<std::size_t> entriesOfRows(const DumpUnit& unit);

}  // namespace ulp::dumps

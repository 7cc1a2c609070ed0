#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "app/cli/sources/inspect_source.h"
#include "core/base/error.h"

namespace ulp::cli {

struct PlaceOptions {
  /// A folder, made where it is missing, for the elements of tensors that lie in no file as they
  /// are (compressed, quantised, put together of several); empty: those have no place.
  std::filesystem::path unpacked{};
  bool areRead = true;  ///< false: a list alone, without any place
};

/// Writes the tensors as JSON (docs/cli.md#inspect), each with the place of its elements in a file,
/// so that other programs map them and need to know no format. Returns what went wrong with some of
/// them, which the JSON says as well. Error: those that end all work.
[[nodiscard]] Result<std::vector<Error>> printPlaces(std::ostream& out,
                                                     const InspectSource& source,
                                                     std::span<const std::size_t> items,
                                                     const PlaceOptions& options);

/// Writes that nothing could be listed, and why.
void printNoPlaces(std::ostream& out, const Error& error);

}  // namespace ulp::cli

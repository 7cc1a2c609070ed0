#include "app/cli/compare_sides.h"

#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <utility>

#include "core/dumps/importers/raw_address.h"
#include "core/dumps/msprobe/compare_json.h"
#include "core/tensors/tensor_file.h"

namespace ulp::cli {
namespace {

namespace fs = std::filesystem;

/// A file that says nothing of itself. One that is not there is left to whoever opens it.
bool isRaw(const std::string& side) {
  std::error_code ignored;
  return fs::is_regular_file(side, ignored) && !tensors::looksLikeTensorFile(side);
}

}  // namespace

Result<SideArguments> completeSides(SideArguments sides) {
  if (sides.candidate.empty()) {
    if (!dumps::msprobe::isCompareJson(sides.baseline)) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("B is missing: name what is compared with {}; alone stands only a "
                              "compare.json of msprobe 8.x, which names both sides",
                              sides.baseline));
    }
    auto named = dumps::msprobe::readCompareJson(sides.baseline);
    if (!named) {
      return tl::unexpected<Error>(std::move(named.error()));
    }
    sides.baseline = named->golden.string();
    sides.candidate = named->target.string();
  }
  if (sides.rawType.empty()) {
    return sides;
  }
  bool isAny = false;
  for (std::string* side : {&sides.baseline, &sides.candidate}) {
    if (isRaw(*side)) {
      isAny = true;
      *side =
          dumps::toPath({.file = *side, .layout = {sides.rawType, sides.rawShape, sides.rawOffset}})
              .string();
    }
  }
  if (!isAny) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("--raw-dtype, --raw-shape: neither {} nor {} is a file of elements "
                            "without a header",
                            sides.baseline,
                            sides.candidate));
  }
  return sides;
}

}  // namespace ulp::cli

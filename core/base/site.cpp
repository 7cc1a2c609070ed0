#include "core/base/site.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ulp {
namespace {

constexpr std::array<std::string_view, kPasses.size()> kPassNames{
    "forward", "backward", "parameter_gradient", "optimizer"};
constexpr std::array<std::string_view, 3> kLevels{"layer", "module", "op"};

template <class Enum, std::size_t kSize>
std::optional<Enum> parse(const std::array<std::string_view, kSize>& names, std::string_view name) {
  const auto* const found = std::ranges::find(names, name);
  return found == names.end() ? std::nullopt
                              : std::optional(static_cast<Enum>(found - names.begin()));
}

}  // namespace

std::string_view toString(Pass pass) {
  return kPassNames.at(static_cast<std::size_t>(pass));
}

std::optional<Pass> parsePass(std::string_view name) {
  return parse<Pass>(kPassNames, name);
}

std::string_view toString(Level level) {
  return kLevels.at(static_cast<std::size_t>(level));
}

std::optional<Level> parseLevel(std::string_view name) {
  return parse<Level>(kLevels, name);
}

}  // namespace ulp

#include "core/dumps/importers/natural_order.h"

#include <algorithm>
#include <cstddef>

namespace ulp::dumps {
namespace {

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// The digits at the front without leading zeros; `text` then begins behind them.
std::string_view takeNumber(std::string_view& text) {
  const auto* const end = std::find_if_not(text.begin(), text.end(), isDigit);
  std::string_view number = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(number.size());
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

}  // namespace

bool naturallyBefore(std::string_view a, std::string_view b) {
  std::string_view restA = a;
  std::string_view restB = b;
  while (!restA.empty() && !restB.empty()) {
    if (isDigit(restA.front()) && isDigit(restB.front())) {
      const std::string_view numberA = takeNumber(restA);
      const std::string_view numberB = takeNumber(restB);
      if (numberA.size() != numberB.size()) {
        return numberA.size() < numberB.size();
      }
      if (numberA != numberB) {
        return numberA < numberB;
      }
      continue;
    }
    if (restA.front() != restB.front()) {
      return restA.front() < restB.front();
    }
    restA.remove_prefix(1);
    restB.remove_prefix(1);
  }
  return restA.empty() == restB.empty() ? a < b : restA.empty();
}

}  // namespace ulp::dumps

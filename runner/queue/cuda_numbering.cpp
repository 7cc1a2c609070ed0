#include "runner/queue/cuda_numbering.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/list_of.h"
#include "core/base/text/parse_number.h"
#include "core/base/text/split.h"

namespace ulp::queue {
namespace {

constexpr std::string_view kCardPrefix = "GPU-";
constexpr std::string_view kMigPrefix = "MIG-";

std::optional<std::string> variableOf(const char* name) {
  // Nothing in the program writes the environment.
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

/// As strtoul() reads it: what follows the number does not matter. Nothing: none, or a negative
/// one.
std::optional<std::size_t> leadingNumber(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  if (text.starts_with('+')) {
    text.remove_prefix(1);
  }
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

/// Nothing: none or several.
std::optional<std::size_t> cardThatBegins(std::string_view uuid,
                                          const std::vector<GpuCard>& cards) {
  const auto begins = [uuid](const GpuCard& card) { return card.uuid.starts_with(uuid); };
  const auto found = std::ranges::find_if(cards, begins);
  return std::ranges::count_if(cards, begins) == 1
             ? std::optional(static_cast<std::size_t>(found - cards.begin()))
             : std::nullopt;
}

/// The place of the entry's card: in CUDA's own order for a number, by bus for a UUID. Nothing: it
/// names no card.
std::optional<std::size_t> placeOf(std::string_view entry,
                                   bool isUuid,
                                   const std::vector<GpuCard>& cards) {
  if (isUuid) {
    return entry.starts_with(kCardPrefix) ? cardThatBegins(entry, cards) : std::nullopt;
  }
  const auto number = leadingNumber(entry);
  return number && *number < cards.size() ? number : std::nullopt;
}

/// Whether CUDA's own order is that of the bus, as far as anybody can see.
bool isOrderKnown(const std::vector<GpuCard>& cards, const CudaNumbering& numbering) {
  return numbering.isByBus || std::ranges::all_of(cards, [&](const GpuCard& card) {
           return !card.name.empty() && card.name == cards.front().name;
         });
}

}  // namespace

CudaNumbering CudaNumbering::ofEnvironment() {
  return {.visible = variableOf("CUDA_VISIBLE_DEVICES"),
          .isByBus = variableOf("CUDA_DEVICE_ORDER") == "PCI_BUS_ID"};
}

bool CudaNumbering::hidesAll() const {
  return visible && !visible->starts_with(kCardPrefix) && !visible->starts_with(kMigPrefix) &&
         !leadingNumber(*visible);
}

std::optional<std::size_t> cudaNumberOf(std::string_view device) {
  constexpr std::string_view kCuda = "cuda";
  if (device == kCuda) {
    return 0;
  }
  return device.starts_with("cuda:") ? parseNatural<std::size_t>(device.substr(kCuda.size() + 1))
                                     : std::nullopt;
}

bool isGpuUuid(std::string_view device) {
  return device.starts_with(kCardPrefix) || device.starts_with(kMigPrefix);
}

std::string namedByUuid(std::string_view device, const std::vector<std::string>& uuids) {
  const auto named = [&uuids](std::string_view each) {
    const auto number = cudaNumberOf(each);
    return number && *number < uuids.size() ? std::string_view(uuids[*number]) : each;
  };
  return fmt::format("{}", fmt::join(listOf(split(device, '+'), named), "+"));
}

std::vector<CudaDevice> cudaDevices(const std::vector<GpuCard>& cards,
                                    const CudaNumbering& numbering) {
  const bool isKnown = isOrderKnown(cards, numbering);
  std::vector<CudaDevice> devices;
  if (!numbering.visible) {
    for (std::size_t i = 0; i < cards.size(); ++i) {
      devices.push_back({.card = isKnown ? std::optional(i) : std::nullopt});
    }
    return devices;
  }
  const auto entries = split(*numbering.visible, ',');
  if (entries.front().starts_with(kMigPrefix)) {
    return {{.migUuid = std::string(entries.front())}};
  }
  const bool isUuid = entries.front().starts_with(kCardPrefix);
  std::vector<std::size_t> places;
  for (const std::string_view entry : entries) {
    const auto place = placeOf(entry, isUuid, cards);
    if (!place) {
      break;
    }
    if (std::ranges::find(places, *place) != places.end()) {
      return {};
    }
    places.push_back(*place);
    devices.push_back({.card = isUuid || isKnown ? place : std::nullopt});
  }
  return devices;
}

}  // namespace ulp::queue

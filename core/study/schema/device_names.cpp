#include "core/study/schema/device_names.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/base/text/split.h"

namespace ulp::study {
namespace {

constexpr std::string_view kForms =
    "auto, cpu, cuda, cuda:N or cuda:all, or several like cuda:0,cuda:1";

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == std::string_view::npos
             ? std::string_view()
             : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

bool isNumbered(std::string_view name) {
  constexpr std::string_view kNumbered = "cuda:";
  constexpr std::size_t kMostDigits = 3;
  const std::string_view number =
      name.starts_with(kNumbered) ? name.substr(kNumbered.size()) : std::string_view();
  return !number.empty() && number.size() <= kMostDigits &&
         number.find_first_not_of("0123456789") == std::string_view::npos;
}

bool isOneDevice(std::string_view name) {
  return name == "cpu" || name == "cuda" || isNumbered(name);
}

}  // namespace

Result<std::vector<std::string>> deviceNames(std::string_view text) {
  std::string_view list = trimmed(text);
  if (list.starts_with('[') && list.ends_with(']')) {
    list = list.substr(1, list.size() - 2);
  }
  std::vector<std::string> names;
  for (const std::string_view part : split(list, ',')) {
    names.emplace_back(trimmed(part));
  }
  if (names.size() == 1 && (names.front() == "auto" || names.front() == kAllCudaDevices)) {
    return names;
  }
  if (!std::ranges::all_of(names, isOneDevice)) {
    return fail(ErrorCode::InvalidArgument, std::string(kForms));
  }
  const auto cpus = static_cast<std::size_t>(std::ranges::count(names, "cpu"));
  if (cpus != 0 && cpus != names.size()) {
    return fail(ErrorCode::InvalidArgument,
                "devices of one kind, since a CPU and a GPU compute otherwise");
  }
  return names;
}

std::string firstDevice(std::string_view text) {
  const auto names = deviceNames(text);
  if (!names) {
    return std::string(text);
  }
  return names->front() == kAllCudaDevices ? "cuda:0" : names->front();
}

bool areSeveralDevices(std::string_view text) {
  const auto names = deviceNames(text);
  return names && (names->size() > 1 || names->front() == kAllCudaDevices);
}

}  // namespace ulp::study

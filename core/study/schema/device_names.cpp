#include "core/study/schema/device_names.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

#include "core/base/text/split.h"

namespace ulp::study {
namespace {

constexpr std::string_view kForms =
    "auto, cpu, cuda, cuda:N or cuda:all, or several like cuda:0,cuda:1 (variants) or "
    "cuda:0+cuda:1 (layers)";

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
  return std::ranges::all_of(split(name, '+'), [](std::string_view part) {
    return part == "cpu" || part == "cuda" || isNumbered(part);
  });
}

/// The kinds of those that have the layers, each once: "cpu", "cuda", "cpu+cuda".
std::string kindOf(std::string_view name) {
  std::set<std::string_view> kinds;
  for (const std::string_view part : split(name, '+')) {
    kinds.insert(part.substr(0, part.find(':')));
  }
  return fmt::format("{}", fmt::join(kinds, "+"));
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
  if (!std::ranges::all_of(names, [kind = kindOf(names.front())](const std::string& name) {
        return kindOf(name) == kind;
      })) {
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

bool areCpus(std::string_view text) {
  return kindOf(firstDevice(text)) == "cpu";
}

bool areSeveralDevices(std::string_view text) {
  const auto names = deviceNames(text);
  return names && (names->size() > 1 || names->front() == kAllCudaDevices);
}

}  // namespace ulp::study

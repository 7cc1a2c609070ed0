#include "core/study/reading/foreign_code.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace ulp::study {
namespace {

constexpr std::string_view kPrepare = "python.prepare";

void addOnce(std::vector<std::string>& list, std::string text) {
  if (!text.empty() && std::ranges::find(list, text) == list.end()) {
    list.push_back(std::move(text));
  }
}

void addPrepared(std::vector<std::string>& list, const Overrides& overrides) {
  for (const auto& [key, setting] : overrides) {
    if (key == kPrepare) {
      addOnce(list, setting.value);
    }
  }
}

}  // namespace

std::vector<std::string> foreignCode(const Study& study) {
  std::vector<std::string> code;
  addOnce(code, study.modelFactory);
  if (const auto all = study.settings.find(kPrepare); all != study.settings.end()) {
    addOnce(code, all->second.value);
  }
  addPrepared(code, study.reference);
  for (const Variant& variant : study.variants) {
    addPrepared(code, variant.overrides);
  }
  if (study.trustsModelCode && study.modelFactory.empty()) {
    addOnce(code, "code that comes with " + study.modelPath);
  }
  return code;
}

}  // namespace ulp::study

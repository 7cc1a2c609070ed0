#include "core/dumps/exporters/msprobe_names.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/dumps/exporters/msprobe_entry.h"

namespace ulp::dumps {
namespace {

/// What msprobe takes in a path, without the slash.
std::string accepted(std::string_view text) {
  std::string name(text);
  std::replace(name.begin(), name.end(), '/', '.');
  name = plainName(name, "_.:-");
  // A name that begins with a dot is a hidden file, and one that ends with it an empty segment.
  const std::size_t first = name.find_first_not_of('.');
  const std::size_t last = name.find_last_not_of('.');
  return first == std::string::npos ? "_" : name.substr(first, last - first + 1);
}

/// "LlamaMLP" of "transformers.models.LlamaMLP".
std::string className(std::string_view operation) {
  const std::string_view last = operation.substr(operation.rfind('.') + 1);  // npos + 1 is 0
  return last.empty() ? "Module" : plainName(last, "_");
}

std::string modulePath(const DumpEntry& entry, std::string_view fallback) {
  std::string path = "Module.";
  const std::string_view named = !entry.module.empty() ? std::string_view(entry.module)
                                 : !entry.name.empty() ? std::string_view(entry.name)
                                                       : fallback;
  return path + accepted(named) + "." + className(entry.operation);
}

std::string apiName(const DumpEntry& entry, std::string_view fallback) {
  const std::string_view named =
      !entry.operation.empty() ? std::string_view(entry.operation) : fallback;
  std::string name = accepted(named);
  const bool isPrefixed = name.find('.') != std::string::npos && !name.starts_with("Module.") &&
                          !name.starts_with("Cell.");
  return isPrefixed ? name : "Custom." + name;
}

}  // namespace

std::string MsprobeNames::numbered(const std::string& before,
                                   std::uint64_t call,
                                   std::string_view after) {
  std::uint64_t& next = m_next[before + std::string(after)];
  for (next = std::max(next, call);; ++next) {
    std::string name = fmt::format("{}.{}{}", before, next, after);
    if (m_entries.insert(name).second) {
      return name;
    }
  }
}

std::string MsprobeNames::entry(const DumpEntry& entry, std::string_view fallback) {
  if (!m_isOurs) {
    std::string name = accepted(entry.name);
    if (m_entries.insert(name).second) {
      return name;
    }
  }
  if (isSavedValue(entry)) {
    return numbered(accepted(entry.name.empty() ? fallback : entry.name), entry.call, ".debug");
  }
  if (entry.kind == EntryKind::Gradient) {
    return numbered(modulePath(entry, fallback) + ".parameters_grad", entry.call, "");
  }
  const std::string direction(toString(entry.pass));
  return entry.kind == EntryKind::Module
             ? numbered(modulePath(entry, fallback) + "." + direction, entry.call, "")
             : numbered(apiName(entry, fallback), entry.call, "." + direction);
}

std::string MsprobeNames::file(std::string_view entry, std::string_view behind) {
  std::string name(entry);
  if (!behind.empty()) {
    name += "." + accepted(behind);
  }
  return m_files.make(shortened(std::move(name)) + ".pt", ".pt");
}

}  // namespace ulp::dumps

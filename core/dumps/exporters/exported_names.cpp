#include "core/dumps/exporters/exported_names.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "core/dumps/msprobe/python_text.h"

namespace ulp::dumps {
namespace {

constexpr std::size_t kLongest = 200;

bool isPlain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// What of the row's name would say that it belongs to this pass.
std::string_view markOf(Pass pass) {
  switch (pass) {
    case Pass::Forward:
      break;
    case Pass::Backward:
      return "backward";
    case Pass::ParameterGradient:
      return "grad";
    case Pass::Optimizer:
      return "optimizer";
  }
  return {};
}

}  // namespace

std::string exportedName(const DumpEntry& entry, const DumpRow& row) {
  const std::string_view mark = markOf(entry.pass);
  const bool isSaid = mark.empty() || row.name.find(mark) != std::string::npos;
  return isSaid ? row.name : fmt::format("{}.{}", row.name, toString(entry.pass));
}

std::string UniqueNames::make(std::string name, std::string_view before) {
  if (m_used.insert(name).second) {
    return name;
  }
  const std::string_view stem =
      std::string_view(name).substr(0, name.size() - (name.ends_with(before) ? before.size() : 0));
  for (std::size_t again = 2;; ++again) {
    std::string numbered = before.empty() ? fmt::format("{} ({})", stem, again)
                                          : fmt::format("{}_{}{}", stem, again, before);
    if (m_used.insert(numbered).second) {
      return numbered;
    }
  }
}

std::string plainName(std::string_view text, std::string_view allowed) {
  std::string name(text);
  std::replace_if(
      name.begin(),
      name.end(),
      [&](char c) { return !isPlain(c) && allowed.find(c) == std::string_view::npos; },
      '_');
  return name;
}

std::string shortened(std::string name) {
  if (name.size() > kLongest) {
    const std::string sum = msprobe::crc32Text(name);
    name.resize(kLongest - sum.size() - 1);
    name += "." + sum;
  }
  return name;
}

std::filesystem::path pathOfName(std::string_view name) {
  std::filesystem::path path;
  while (true) {
    const std::size_t end = name.find('/');
    std::string part(name.substr(0, end));
    std::replace_if(
        part.begin(), part.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, '_');
    const bool isUsable = !part.empty() && part != "." && part != "..";
    path /= isUsable ? shortened(std::move(part)) : "_";
    if (end == std::string_view::npos) {
      return path;
    }
    name.remove_prefix(end + 1);
  }
}

std::filesystem::path placeOfAxes(const UnitAxes& axes) {
  std::filesystem::path place;
  if (!axes.run.empty()) {
    const std::string run = shortened(plainName(axes.run, "_.-"));
    place /= run == "." || run == ".." ? "_" : run;
  }
  for (const auto& [name, number] :
       {std::pair{"step", axes.step}, {"rank", axes.rank}, {"token", axes.token}}) {
    if (number) {
      place /= fmt::format("{}{}", name, *number);
    }
  }
  return place;
}

std::vector<std::size_t> entriesOfRows(const DumpUnit& unit) {
  std::vector<std::size_t> owners(unit.rows.size(), kNone);
  for (std::size_t entry = 0; entry < unit.entries.size(); ++entry) {
    for (std::size_t i = 0; i < unit.entries[entry].rowCount; ++i) {
      owners[unit.entries[entry].firstRow + i] = entry;
    }
  }
  return owners;
}

}  // namespace ulp::dumps

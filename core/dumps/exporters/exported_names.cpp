#include "core/dumps/exporters/exported_names.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "core/base/text/split.h"
#include "core/dumps/msprobe/python_text.h"

namespace ulp::dumps {
namespace {

constexpr std::size_t kLongest = 200;
/// Of what is below the folder of an export: a whole path has at most 4,096 bytes.
constexpr std::size_t kLongestPath = 1024;

bool isPlain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// A part of a row's name that says that the row belongs to the pass.
bool isMark(std::string_view part, Pass pass) {
  switch (pass) {
    case Pass::Forward:
      return true;
    case Pass::Backward:
      return part == "backward";
    case Pass::ParameterGradient:
      return part == "grad" || part == "gradient" || part == "parameters_grad" ||
             part.starts_with("grad__");
    case Pass::Optimizer:
      return part == "optimizer";
  }
  return false;
}

/// Whole parts alone: "upgrade.weight" is the name of a parameter and of its gradient.
bool isSaid(std::string_view name, Pass pass) {
  while (true) {
    const std::size_t end = std::min(name.find_first_of(". :"), name.size());
    if (isMark(name.substr(0, end), pass)) {
      return true;
    }
    if (end == name.size()) {
      return false;
    }
    name.remove_prefix(end + 1);
  }
}

}  // namespace

std::string exportedName(const DumpEntry& entry, const DumpRow& row) {
  return isSaid(row.name, entry.pass) ? row.name
                                      : fmt::format("{}.{}", row.name, toString(entry.pass));
}

std::string UniqueNames::make(std::string name, std::string_view before) {
  if (m_used.insert(name).second) {
    return name;
  }
  const std::string_view stem =
      std::string_view(name).substr(0, name.size() - (name.ends_with(before) ? before.size() : 0));
  for (std::size_t& next = m_next.try_emplace(name, 2).first->second;; ++next) {
    std::string numbered = before.empty() ? fmt::format("{} ({})", stem, next)
                                          : fmt::format("{}_{}{}", stem, next, before);
    if (m_used.insert(numbered).second) {
      return numbered;
    }
  }
}

std::string plainName(std::string_view text, std::string_view allowed) {
  std::string name(text);
  std::ranges::replace_if(
      name, [&](char c) { return !isPlain(c) && allowed.find(c) == std::string_view::npos; }, '_');
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
  std::string plain(name);
  std::ranges::replace_if(
      plain, [](unsigned char c) { return std::iscntrl(c) != 0; }, '_');
  std::filesystem::path path;
  for (const std::string_view part : split(plain, '/')) {
    const bool isUsable = !part.empty() && part != "." && part != "..";
    path /= isUsable ? shortened(std::string(part)) : "_";
  }
  if (path.native().size() > kLongestPath) {
    std::ranges::replace(plain, '/', '_');
    return shortened(std::move(plain));
  }
  return path;
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

std::filesystem::path placeOfUnit(const UnitAxes& axes, bool isOnly) {
  return isOnly ? std::filesystem::path() : placeOfAxes(axes);
}

std::vector<std::size_t> entriesOfRows(const DumpUnit& unit) {
  std::vector<std::size_t> owners(unit.rows.size(), kNone);
  for (std::size_t entry = 0; entry < unit.entries.size(); ++entry) {
    for (const std::size_t row : unit.entries[entry].rows()) {
      owners[row] = entry;
    }
  }
  return owners;
}

}  // namespace ulp::dumps

#include "core/comparing/match/module_names.h"

#include <algorithm>
#include <utility>

namespace ulp::analysis {
namespace {

/// `path` up to and with `count` more of its parts from `from` on; npos: it has no more.
std::size_t endOfParts(std::string_view path, std::size_t from, std::size_t count) {
  std::size_t end = from;
  for (; count > 0; --count) {
    end = path.find('.', end);
    if (end == std::string_view::npos) {
      return count == 1 ? path.size() : std::string_view::npos;
    }
    end += count > 1 ? 1 : 0;
  }
  return end;
}

std::size_t partsIn(std::string_view path) {
  return static_cast<std::size_t>(std::count(path.begin(), path.end(), '.')) + 1;
}

}  // namespace

ModuleNames::ModuleNames(const dumps::DumpUnit& unit, const SiteMapping& mapping)
    : m_mapping(mapping) {
  if (mapping.dumps().layers.empty()) {
    return;
  }
  for (const dumps::DumpEntry& entry : unit.entries) {
    if (entry.kind == dumps::EntryKind::Module) {
      m_types.emplace(entry.module, entry.operation);
    }
  }
}

const std::string& ModuleNames::mapped(const std::string& path, const std::string& type) {
  std::string key = path;
  key += '\n';
  key += type;
  const auto [place, isNew] = m_known.try_emplace(std::move(key));
  if (isNew) {
    std::string name = m_mapping.dumps().layers.empty() ? path : byLayers(path);
    if (!m_mapping.dumps().cells.empty()) {
      name = byCells(name, type);
    }
    place->second = m_mapping.hasNames() ? m_mapping.map(name) : std::move(name);
  }
  return place->second;
}

/// By the rule of the parent's class `type`, the longest one that fits.
ModuleNames::Child ModuleNames::childOf(const std::string& type,
                                        const std::string& path,
                                        std::size_t at) const {
  Child child{.end = endOfParts(path, at, 1)};
  child.name = path.substr(at, child.end - at);
  std::size_t longest = 0;
  for (const ClassRenames& renames : m_mapping.dumps().layers) {
    if (renames.type != type) {
      continue;
    }
    for (const auto& [from, to] : renames.children) {
      const std::size_t parts = partsIn(from);
      const std::size_t end = endOfParts(path, at, parts);
      if (parts > longest && end != std::string::npos && path.compare(at, end - at, from) == 0) {
        longest = parts;
        child = {.end = end, .name = to};
      }
    }
  }
  return child;
}

/// From the top, each child by the class of its parent.
std::string ModuleNames::byLayers(const std::string& path) const {
  std::string result;
  std::string type = "TopLayer";
  for (std::size_t at = 0; at < path.size();) {
    const auto [end, name] = childOf(type, path, at);
    result += (result.empty() || name.empty() ? "" : ".") + name;
    const auto known = m_types.find(path.substr(0, end));
    const std::size_t last = path.rfind('.', end - 1);
    const std::size_t begin = last == std::string::npos ? 0 : last + 1;
    type = known != m_types.end() ? known->second : path.substr(begin, end - begin);
    at = end + 1;
  }
  return result;
}

/// The whole of "path.Class", else every part of it once.
std::string ModuleNames::byCells(const std::string& path, const std::string& type) const {
  const NamePairs& cells = m_mapping.dumps().cells;
  std::string name = type.empty() ? path : path + '.' + type;
  const auto whole = std::find_if(
      cells.begin(), cells.end(), [&](const auto& each) { return each.first == name; });
  if (whole != cells.end()) {
    name = whole->second;
  } else {
    for (const auto& [from, to] : cells) {
      if (const std::size_t place = name.find(from); place != std::string::npos) {
        name.replace(place, from.size(), to);
      }
    }
  }
  return type.empty() ? name : name.substr(0, std::min(name.rfind('.'), name.size()));
}

}  // namespace ulp::analysis

#include "views/framework/document/site_steps.h"

#include <optional>
#include <string>
#include <string_view>

namespace ulp::views {
namespace {

/// A name around its number of the layer: "model.layers." 11 ".mlp".
struct NameOfKind {
  std::string_view before;
  std::string_view after;

  friend bool operator==(const NameOfKind&, const NameOfKind&) = default;
};

std::optional<NameOfKind> kindOf(const Site& site) {
  if (site.layer < 0) {
    return std::nullopt;
  }
  const std::string_view name = site.name;
  const std::string number = '.' + std::to_string(site.layer);
  for (std::size_t at = name.find(number); at != std::string_view::npos;
       at = name.find(number, at + 1)) {
    const std::size_t end = at + number.size();
    if (end == name.size() || name[end] == '.') {
      return NameOfKind{.before = name.substr(0, at), .after = name.substr(end)};
    }
  }
  return std::nullopt;
}

bool isSite(const ReportDocument& document, int site) {
  return site >= 0 && static_cast<std::size_t>(site) < document.sites().size();
}

}  // namespace

int stepInKind(const ReportDocument& document, int site, int direction) {
  if (!isSite(document, site)) {
    return -1;
  }
  const std::vector<Site>& sites = document.sites();
  const Site& from = sites[static_cast<std::size_t>(site)];
  const std::optional<NameOfKind> kind = kindOf(from);
  int found = -1;
  int distance = 0;
  for (std::size_t i = 0; kind && i < sites.size(); ++i) {
    const int away = (sites[i].layer - from.layer) * direction;
    const bool nearer = away > 0 && (found < 0 || away < distance);
    if (nearer && sites[i].pass == from.pass && kindOf(sites[i]) == kind) {
      found = static_cast<int>(i);
      distance = away;
    }
  }
  return found;
}

int parentSite(const ReportDocument& document, int site) {
  if (!isSite(document, site)) {
    return -1;
  }
  const Site& from = document.sites()[static_cast<std::size_t>(site)];
  for (std::string path = from.name; !path.empty();) {
    const std::size_t dot = path.rfind('.');
    path.resize(dot == std::string::npos ? 0 : dot);
    if (const int found = document.findSite(path, from.pass); found >= 0) {
      return found;
    }
    // Rows of whole layers are named after their block, not after its module.
    for (std::size_t i = 0; !path.empty() && i < document.sites().size(); ++i) {
      const Site& other = document.sites()[i];
      if (other.pass == from.pass && other.level == Level::Layer && other.module == path &&
          static_cast<int>(i) != site) {
        return static_cast<int>(i);
      }
    }
  }
  return -1;
}

}  // namespace ulp::views

#include "views/charts/plot/depth_axis.h"

#include <algorithm>
#include <set>

#include <QtCore/QCoreApplication>

namespace ulp::views::charts {
namespace {

struct DepthAxisWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::DepthAxis)
};

QString labelOf(const Site& site, const QString& kind) {
  if (site.layer >= 0) {
    const bool labelled = site.level == Level::Layer || kind != allRowsId();
    return labelled ? QString::number(site.layer) : QString();
  }
  if (site.level != Level::Layer && !isOfParameters(site.pass)) {
    return {};
  }
  if (site.name == "embeddings") {
    return DepthAxisWords::tr("emb");
  }
  if (site.name == "norm" && site.pass == Pass::Backward) {
    return DepthAxisWords::tr("head");
  }
  return QString::fromStdString(site.name);
}

bool isShown(const Site& site, const QString& kind) {
  if (kind == allRowsId()) {
    return true;
  }
  if (kind == layerRowsId()) {
    // Parameters have no rows of their own for layers.
    return site.level == Level::Layer || isOfParameters(site.pass);
  }
  return moduleBelowLayer(site) == kind;
}

}  // namespace

QString layerRowsId() {
  return QStringLiteral("layers");
}

QString allRowsId() {
  return QStringLiteral("all");
}

QString moduleBelowLayer(const Site& site) {
  if (site.layer < 0 || site.level == Level::Layer) {
    return {};
  }
  const QString name = QString::fromStdString(site.name);
  const QString number = QStringLiteral(".%1.").arg(site.layer);
  const qsizetype place = name.indexOf(number);
  return place < 0 ? QString() : name.mid(place + number.size());
}

std::vector<RowKind> rowKinds(const ReportDocument& document) {
  std::vector<RowKind> kinds{{layerRowsId(), DepthAxisWords::tr("Layers")},
                             {allRowsId(), DepthAxisWords::tr("All rows")}};
  std::set<QString> seen;
  for (const Site& site : document.sites()) {
    const QString module = isOfParameters(site.pass) ? QString() : moduleBelowLayer(site);
    if (!module.isEmpty() && seen.insert(module).second) {
      kinds.push_back({module, module});
    }
  }
  return kinds;
}

QString rowKindOf(const Site& site) {
  if (isShown(site, layerRowsId())) {
    return layerRowsId();
  }
  const QString module = moduleBelowLayer(site);
  return module.isEmpty() ? allRowsId() : module;
}

DepthAxis makeDepthAxis(const ReportDocument& document, const QString& kind, PassFilter shown) {
  DepthAxis axis;
  const auto add = [&](Pass pass) {
    for (std::size_t i = 0; i < document.sites().size(); ++i) {
      const Site& site = document.sites()[i];
      if (site.pass == pass && site.name != "loss" && isShown(site, kind)) {
        axis.positions.push_back({.site = static_cast<int>(i),
                                  .pass = pass,
                                  .layer = site.layer,
                                  .name = QString::fromStdString(site.name),
                                  .label = labelOf(site, kind)});
      }
    }
  };
  for (const Pass pass : kPasses) {
    if (accepts(shown, pass)) {
      add(pass);
    }
    if (pass == Pass::Forward) {
      axis.fold = axis.size();
    }
  }
  return axis;
}

int DepthAxis::find(int site) const {
  const auto found = std::ranges::find(positions, site, &DepthSlot::site);
  return found == positions.end() ? -1 : static_cast<int>(found - positions.begin());
}

int DepthAxis::findLayer(const Site& site) const {
  const auto found = std::ranges::find_if(positions, [&](const DepthSlot& slot) {
    return site.layer >= 0 && slot.layer == site.layer && slot.pass == site.pass;
  });
  return found == positions.end() ? -1 : static_cast<int>(found - positions.begin());
}

}  // namespace ulp::views::charts

#include "views/plugins/experts/token_raster.h"

#include <algorithm>
#include <utility>

#include <QtCore/QCoreApplication>

#include "views/framework/words/metric_text.h"

namespace ulp::views {
namespace {

struct TokenRasterWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Experts)
};

/// "17", or "273 (sequence 2, 17)" where there are several.
QString tokenText(const TokenFlips& flips, int token) {
  const auto place = static_cast<std::uint64_t>(token);
  if (flips.sequenceLength == 0 || flips.tokens() <= flips.sequenceLength) {
    return QString::number(token);
  }
  return TokenRasterWords::tr("%1 (sequence %2, %3)")
      .arg(place)
      .arg(place / flips.sequenceLength)
      .arg(place % flips.sequenceLength);
}

QString layerText(const report::RouterChoice& router) {
  return router.layer < 0 ? QString::fromStdString(router.router) : QString::number(router.layer);
}

/// The sequences below their tokens; one alone is none.
std::vector<charts::RasterSpan> sequenceSpans(const TokenFlips& flips) {
  const auto tokens = static_cast<int>(flips.tokens());
  const auto length =
      static_cast<int>(std::min<std::uint64_t>(flips.sequenceLength, flips.tokens()));
  if (length == 0 || length == tokens) {
    return {{0, tokens, TokenRasterWords::tr("Token")}};
  }
  std::vector<charts::RasterSpan> spans;
  for (int first = 0; first < tokens; first += length) {
    spans.push_back({first,
                     std::min(tokens, first + length),
                     TokenRasterWords::tr("sequence %1").arg(first / length)});
  }
  return spans;
}

charts::RasterReadout tokenReadout(const TokenFlips& flips, int row, int column) {
  const report::RouterChoice& router = flips.routers[static_cast<std::size_t>(row)];
  const auto token = static_cast<std::size_t>(column);
  charts::RasterReadout readout{.title = QString::fromStdString(router.router), .lines = {}};
  readout.lines.emplace_back(TokenRasterWords::tr("Token"), tokenText(flips, column));
  const QString text = token >= router.flips.size() ? TokenRasterWords::tr("missing")
                       : router.flips[token] != 0   ? TokenRasterWords::tr("flipped")
                                                    : TokenRasterWords::tr("as in the reference");
  readout.lines.emplace_back(TokenRasterWords::tr("Experts"), text);
  return readout;
}

}  // namespace

std::size_t TokenFlips::tokens() const {
  std::size_t most = 0;
  for (const report::RouterChoice& router : routers) {
    most = std::max(most, router.flips.size());
  }
  return most;
}

TokenFlipsPtr makeTokenFlips(const ReportDocument& document, int variant) {
  TokenFlips flips{.run = document.variantName(variant),
                   .routers = document.variant(variant).routers,
                   .sequenceLength = document.report().provenance.sequenceLength};
  return std::make_shared<const TokenFlips>(std::move(flips));
}

charts::RasterContent tokenRaster(const TokenFlipsPtr& flips) {
  auto grid = std::make_shared<charts::RasterGrid>();
  grid->rows = static_cast<int>(flips->routers.size());
  grid->columns = static_cast<int>(flips->tokens());
  const std::size_t cells = flips->routers.size() * flips->tokens();
  grid->values.assign(cells, 0);
  grid->missing.assign(cells, 1);
  for (std::size_t row = 0; row < flips->routers.size(); ++row) {
    const std::vector<std::uint8_t>& flipped = flips->routers[row].flips;
    for (std::size_t token = 0; token < flipped.size(); ++token) {
      const std::size_t cell = row * flips->tokens() + token;
      grid->values[cell] = flipped[token];
      grid->missing[cell] = 0;
    }
  }
  charts::RasterContent content;
  content.grid = std::move(grid);
  content.title = TokenRasterWords::tr("Flipped tokens (bright) by layer · %1").arg(flips->run);
  content.rows.title = TokenRasterWords::tr("Layer");
  content.rows.label = [flips](int row) {
    return layerText(flips->routers[static_cast<std::size_t>(row)]);
  };
  content.rows.description = [flips](int row) {
    return QString::fromStdString(flips->routers[static_cast<std::size_t>(row)].router);
  };
  content.columns.title = TokenRasterWords::tr("Token");
  // Positions count within a sequence, as everywhere.
  if (const auto length = static_cast<int>(flips->sequenceLength); length > 0) {
    content.columns.label = [length](int column) { return QString::number(column % length); };
  }
  content.columns.description = [flips](int column) { return tokenText(*flips, column); };
  content.spans = sequenceSpans(*flips);
  content.prefer = charts::Prefer::Largest;
  content.readout = [flips](int row, int column) { return tokenReadout(*flips, row, column); };
  return content;
}

charts::ColorScale tokenScale() {
  return {.kind = charts::ScaleKind::Linear,
          .map = charts::ColorMap::Cividis,
          .range = {0, 1},
          .reversed = false};
}

report::DataTable tokenTable(const QString& title, const TokenFlips& flips) {
  report::DataTable table{.title = title.toStdString()};
  for (const QString& heading : {TokenRasterWords::tr("Variant"),
                                 TokenRasterWords::tr("Router"),
                                 TokenRasterWords::tr("Token")}) {
    table.columns.push_back({.title = heading.toStdString()});
  }
  for (const report::RouterChoice& router : flips.routers) {
    for (std::size_t token = 0; token < router.flips.size(); ++token) {
      if (router.flips[token] != 0) {
        table.rows.push_back({flips.run.toStdString(), router.router, static_cast<double>(token)});
      }
    }
  }
  return table;
}

}  // namespace ulp::views

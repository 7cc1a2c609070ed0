#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "tests/support/data/report_builder.h"

namespace ulp::test {

/// Relative error at a position of a row: `row` counts from the embeddings.
inline double positionErrorAt(int row, std::uint64_t position) {
  return 0.001 * (row + 1) * static_cast<double>(position + 1);
}

/// Errors at the positions of two sequences, over the forward rows of level layer of a model; the
/// reference's scale is 2. At the last position of the norm one token has a NaN, at the first one
/// of `decoder.0` both have nothing else.
inline report::PositionErrors positionErrors(int layers,
                                             std::uint64_t prompt,
                                             std::uint64_t length) {
  report::PositionErrors positions{.prompt = prompt};
  for (const Site& site : layerSites(layers)) {
    if (site.pass != Pass::Forward || site.name == "loss") {
      continue;
    }
    const int place = static_cast<int>(positions.rows.size());
    report::PositionRow& row =
        positions.rows.emplace_back(report::PositionRow{.name = site.name, .layer = site.layer});
    for (std::uint64_t position = 0; position < length; ++position) {
      row.errors.push_back(
          {.tokens = {
               .tokens = 2, .rmsDiff = 2 * positionErrorAt(place, position), .refScale = 2}});
    }
    if (site.name == "norm") {
      row.errors.back().nonFinite = 1;
    }
    if (site.name == "decoder.0") {
      row.errors.front() = {.nonFinite = 8};
    }
  }
  positions.tops.resize(length, {.tokens = 2});
  positions.tops.back().flipped = 1;
  return positions;
}

/// A report of a study in which the reference continues prompts of 3 tokens by 2; the second
/// variant is twice as far away.
inline report::Report positionReport(int layers = 2) {
  report::Report report = sampleReport(layers, {"bf16", "fp8"});
  for (std::size_t variant = 1; variant < report.runs.size(); ++variant) {
    report.runs[variant].positions = positionErrors(layers, 3, 5);
    for (report::PositionRow& row : report.runs[variant].positions.rows) {
      for (report::PositionError& error : row.errors) {
        error.tokens.rmsDiff *= static_cast<double>(variant);
      }
    }
  }
  return report;
}

}  // namespace ulp::test

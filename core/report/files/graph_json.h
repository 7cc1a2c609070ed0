#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/base/graph/operation_graph.h"
#include "core/json/record.h"
#include "core/report/model/report.h"

namespace ulp::report {

inline constexpr std::array kGraphRowFields{
    json::field<&OperationGraph::Row::forward, json::isGiven<&OperationGraph::Row::forward>>(
        "forward"),
    json::field<&OperationGraph::Row::backward, json::isGiven<&OperationGraph::Row::backward>>(
        "backward"),
    json::field<&OperationGraph::Row::line, json::isGiven<&OperationGraph::Row::line>>("line")};

/// What rows were made from, by pass and row.
inline constexpr json::Field<Run> kGraphField{
    "graph",
    [](json::Reader& json, Run& run) {
      json.readObject([&](std::string_view word) {
        const auto pass = parsePass(word);
        if (!pass) {
          json.skipValue();
          return;
        }
        json.readObject([&](std::string_view row) {
          json::readRecord(json, run.graph.of(*pass)[std::string(row)], kGraphRowFields);
        });
      });
    },
    [](json::Writer& json, std::string_view name, const Run& run) {
      if (run.graph.isEmpty()) {
        return;
      }
      json.field(name, [&] {
        for (const Pass pass : kPasses) {
          if (run.graph.of(pass).empty()) {
            continue;
          }
          json.field(toString(pass), [&] {
            for (const auto& [row, made] : run.graph.of(pass)) {
              json.key(row);
              json::writeRecord(json, made, kGraphRowFields);
            }
          });
        }
      });
    }};

}  // namespace ulp::report

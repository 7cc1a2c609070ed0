#pragma once

#include <cstddef>
#include <string>

#include "core/comparing/origin/culprit.h"
#include "core/json/writer.h"

/// How the commands print where two dumps part.
namespace ulp::cli {

/// Lines below the one that names it: how sure that is, the modules around it, what one side alone
/// has there, and at most `longest` frames of its call stack.
void appendCulpritDetails(std::string& text, const analysis::Culprit& culprit, std::size_t longest);
/// *culprit* of docs/cli.md, as a value.
void writeCulprit(json::Writer& json, const analysis::Culprit& culprit);

}  // namespace ulp::cli

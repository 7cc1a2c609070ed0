#include "core/engine/weights/model_source.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/list_of.h"
#include "core/base/model_limits.h"
#include "core/base/text/edit_distance.h"
#include "core/engine/network/rotary.h"
#include "core/json/parse.h"
#include "core/tensors/formats/gguf/gguf.h"
#include "core/tensors/opening/tensor_file.h"

namespace ulp::engine {
namespace {

namespace fs = std::filesystem;
using json::Value;

constexpr std::size_t kConfigLimit = std::size_t{64} << 20;

Result<Value> parseJson(const std::string& text, const std::string& source, ErrorCode code) {
  auto parsed = json::parse(text);
  if (!parsed && parsed.error().code() != ErrorCode::CorruptData) {
    return failWhile(source, std::move(parsed));
  }
  if (!parsed) {
    return fail(code, source + ": is not valid JSON");
  }
  if (!parsed->isObject()) {
    return fail(code, source + ": is not a JSON object");
  }
  return parsed;
}

void dropNulls(Value& object) {
  json::Object kept;  // erasing nulls one by one would move all members behind each
  for (const auto& [name, field] : object.members()) {
    if (!field.isNull()) {
      kept[name] = field;
    }
  }
  object = std::move(kept);
}

/// dtype of a fresh model; transformers 4 calls it torch_dtype.
void standardizeDType(Value& config) {
  if (config.contains("torch_dtype") && !config.contains("dtype")) {
    config["dtype"] = Value(config.at("torch_dtype"));
  }
  config.erase("torch_dtype");
}

Result<> checkFields(const Value& overrides, std::span<const std::string_view> known) {
  for (const auto& [name, field] : overrides.members()) {
    ULP_TRY(whileDoing("model.architecture: " + name, checkModelSize(name, field.integer())));
    if (std::ranges::find(known, name) == known.end()) {
      const std::string_view nearest = std::ranges::min(
          known, {}, [&name](std::string_view candidate) { return editDistance(name, candidate); });
      return fail(ErrorCode::InvalidArgument,
                  "model.architecture: unknown field '" + name + "'; the nearest is '" +
                      std::string(nearest) + "'");
    }
  }
  return {};
}

Result<> applyOverrides(ModelSource& source, const std::string& architectureJson) {
  standardizeRope(source.config);
  standardizeDType(source.config);
  if (!architectureJson.empty()) {
    source.configOrigin += " with model.architecture";
    auto overrides =
        ULP_TRY(parseJson(architectureJson, "model.architecture", ErrorCode::InvalidArgument));
    ULP_TRY(checkFields(overrides, source.family->configFields));
    source.layersOverridden = overrides.contains("num_hidden_layers");
    standardizeRope(overrides);
    if (overrides.at("rope_parameters").contains("rope_type") &&
        source.config.contains("rope_parameters")) {
      // Another type has other parameters; only the base is common to all.
      const Value theta = source.config.at("rope_parameters").at("rope_theta");
      source.config["rope_parameters"] = json::Object{{"rope_theta", theta}};
      dropNulls(source.config["rope_parameters"]);
    }
    json::mergePatch(source.config, overrides);
  }
  dropNulls(source.config);
  return {};
}

/// The files behind a Hugging Face archive: one file, or the shards of an index.
Result<std::vector<fs::path>> filesOf(const tensors::TensorArchive& archive) {
  if (archive.path().extension() != ".json") {
    return std::vector<fs::path>{archive.path()};
  }
  auto text = ULP_TRY(readTextFile(archive.path(), kConfigLimit));
  auto index = ULP_TRY(parseJson(text, archive.path().string(), ErrorCode::CorruptData));
  std::set<std::string> names;
  for (const auto& [tensor, file] : index.at("weight_map").members()) {
    if (file.isText()) {
      names.insert(file.text());
    }
  }
  return listOf(names,
                [&](const std::string& name) { return archive.path().parent_path() / name; });
}

Result<> resolveGguf(const FamilyRegistry& registry,
                     const std::shared_ptr<const tensors::GgufFile>& file,
                     bool randomWeights,
                     ModelSource& source) {
  source.isGguf = true;
  source.configOrigin = file->path().string() + ": metadata";
  const auto architecture = ULP_TRY(file->text("general.architecture"));
  source.family = ULP_TRY(registry.forGguf(architecture, file->path().string()));
  source.config = ULP_TRY(source.family->configFromGguf(*file));
  if (!randomWeights) {
    source.weights = file;
    source.weightFiles = {file->path()};
  }
  return {};
}

Result<> resolveFolder(const FamilyRegistry& registry,
                       const fs::path& folder,
                       const ModelRequest& request,
                       ModelSource& source) {
  const fs::path file = folder / "config.json";
  source.configOrigin = file.string();
  auto text = ULP_TRY(whileDoing("model.path", readTextFile(file, kConfigLimit)));
  source.config = ULP_TRY(parseJson(text, source.configOrigin, ErrorCode::CorruptData));
  source.family = ULP_TRY(registry.forConfig(source.config, source.configOrigin));
  if (request.randomWeights) {
    return {};
  }
  source.weights = ULP_TRY(tensors::openWeights(request.path));
  source.weightFiles = ULP_TRY(filesOf(*source.weights));
  return {};
}

std::string nameOf(const fs::path& path) {
  std::error_code hasNoFolder;
  const fs::path normal = fs::absolute(path, hasNoFolder).lexically_normal();
  return normal.has_filename() ? normal.filename().string()
                               : normal.parent_path().filename().string();
}

}  // namespace

Result<ModelSource> resolveModel(const FamilyRegistry& registry, const ModelRequest& request) {
  ModelSource source;
  source.name = nameOf(request.path);
  std::error_code error;
  if (!fs::exists(request.path, error)) {
    return fail(
        ErrorCode::NotFound,
        request.path.string() + ": no such model; give a Hugging Face folder or a .gguf file");
  }
  if (request.path.extension() == ".gguf") {
    const auto file = ULP_TRY(tensors::GgufFile::open(request.path));
    ULP_TRY(resolveGguf(registry, file, request.randomWeights, source));
  } else {
    const bool isFolder = fs::is_directory(request.path, error);
    ULP_TRY(resolveFolder(
        registry, isFolder ? request.path : request.path.parent_path(), request, source));
  }
  ULP_TRY(applyOverrides(source, request.architectureJson));
  return source;
}

}  // namespace ulp::engine

#include <map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/tensors/archive/name_index.h"
#include "core/tensors/formats/safetensors/safetensors.h"

namespace ulp::tensors {
namespace {

constexpr std::size_t kLargestIndex = 100'000'000;

/// Tensor name -> file name of its shard.
using WeightMap = std::map<std::string, std::string, std::less<>>;

class ShardedArchive final : public TensorArchive {
 public:
  ShardedArchive(std::filesystem::path path,
                 std::vector<TensorInfo> infos,
                 std::vector<TensorArchivePtr> shards)
      : m_path(std::move(path)),
        m_infos(std::move(infos)),
        m_shards(std::move(shards)),
        m_index(m_infos) {}

  [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return m_infos; }
  [[nodiscard]] const std::filesystem::path& path() const override { return m_path; }

  [[nodiscard]] Result<Tensor> read(std::string_view name) const override {
    const auto position = ULP_TRY(m_index.find(m_path, name));
    return m_shards[position]->read(name);
  }

 private:
  std::filesystem::path m_path;
  std::vector<TensorInfo> m_infos;
  std::vector<TensorArchivePtr> m_shards;  ///< one entry for each tensor
  NameIndex m_index;
};

tl::unexpected<Error> wrong(const std::filesystem::path& path,
                            std::string_view name,
                            const std::string& what) {
  return fail(ErrorCode::CorruptData, path.string() + ": tensor " + quotedName(name) + ": " + what);
}

/// Parsed JSON, or why not; a name that occurs twice is an error.
Result<nlohmann::json> parseIndex(const ByteSource& source) {
  const std::string_view text(reinterpret_cast<const char*>(source.bytes.data()),
                              source.bytes.size());
  std::map<std::string, int> seen;
  std::string twice;
  const auto watch = [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json& value) {
    constexpr int kMapDepth = 2;
    if (event == nlohmann::json::parse_event_t::object_start) {
      seen.clear();
    }
    if (event == nlohmann::json::parse_event_t::key && depth == kMapDepth &&
        ++seen[value.get<std::string>()] > 1) {
      twice = value.get<std::string>();
    }
    return true;
  };
  try {
    auto json = nlohmann::json::parse(text.begin(), text.end(), watch);
    if (!twice.empty()) {
      return wrong(source.path, twice, "named twice");
    }
    return json;
  } catch (const nlohmann::json::parse_error& error) {
    return source.corrupt("not valid JSON at byte " + std::to_string(error.byte));
  }
}

Result<WeightMap> readWeightMap(const std::filesystem::path& path) {
  auto source = ULP_TRY(openByteSource(path));
  if (source.bytes.size() > kLargestIndex) {
    return source.corrupt("larger than 100 MB, the limit of such a file");
  }
  const auto json = ULP_TRY(parseIndex(source));
  const auto map = json.is_object() ? json.find("weight_map") : json.end();
  if (map == json.end() || !map->is_object()) {
    return source.corrupt("weight_map: missing or not an object");
  }
  WeightMap weights;
  for (const auto& [name, shard] : map->items()) {
    const std::string file = shard.is_string() ? shard.get<std::string>() : std::string();
    // A shard lies beside its index: a name that leads elsewhere is not followed.
    if (file.empty() || file == "." || file == ".." || file.find('/') != std::string::npos) {
      return wrong(path, name, "its shard is not the name of a file in the same folder");
    }
    weights.emplace(name, file);
  }
  return weights;
}

Result<TensorArchivePtr> openShard(const std::filesystem::path& index,
                                   const std::string& file,
                                   std::string_view tensor,
                                   WhenShortened whenShortened) {
  auto shard = openSafetensors(index.parent_path() / file, whenShortened);
  if (!shard && shard.error().code() == ErrorCode::NotFound) {
    return fail(ErrorCode::NotFound,
                index.string() + ": tensor " + quotedName(tensor) + ": its shard " +
                    quotedName(file) + " does not exist; download the checkpoint again");
  }
  return shard;
}

}  // namespace

Result<TensorArchivePtr> openSafetensorsIndex(const std::filesystem::path& path,
                                              WhenShortened whenShortened) {
  auto weights = ULP_TRY(readWeightMap(path));
  std::map<std::string, TensorArchivePtr> shards;
  for (const auto& [name, file] : weights) {
    if (shards.contains(file)) {
      continue;
    }
    auto shard = ULP_TRY(openShard(path, file, name, whenShortened));
    shards.emplace(file, std::move(shard));
  }
  std::vector<TensorInfo> infos;
  std::vector<TensorArchivePtr> owners;
  for (const auto& [file, shard] : shards) {
    for (const TensorInfo& info : shard->tensors()) {
      const auto entry = weights.find(info.name);
      if (entry != weights.end() && entry->second == file) {
        infos.push_back(info);
        owners.push_back(shard);
        weights.erase(entry);
      }
    }
  }
  if (!weights.empty()) {
    const auto& [name, file] = *weights.begin();
    return wrong(path, name, "its shard " + quotedName(file) + " does not hold it");
  }
  return std::make_shared<const ShardedArchive>(path, std::move(infos), std::move(owners));
}

}  // namespace ulp::tensors

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/json/parse.h"
#include "core/tensors/archive/byte_reader.h"
#include "core/tensors/archive/name_index.h"
#include "core/tensors/formats/safetensors/safetensors.h"

namespace ulp::tensors {
namespace {

constexpr std::size_t kLargestIndex = 100'000'000;

/// Tensor name -> file name of its shard.
using WeightMap = std::map<std::string, std::string, std::less<>>;

tl::unexpected<Error> wrong(const std::filesystem::path& path,
                            std::string_view name,
                            const std::string& what) {
  return fail(ErrorCode::CorruptData, path.string() + ": tensor " + quotedName(name) + ": " + what);
}

/// Notes a tensor that the map names twice.
class IndexBuilder final : public json::DocumentBuilder {
 public:
  [[nodiscard]] const std::string& twice() const { return m_twice; }

  bool beginObject() override {
    m_seen.clear();
    return DocumentBuilder::beginObject();
  }
  bool key(std::string& name) override {
    constexpr std::size_t kMapDepth = 2;
    if (depth() == kMapDepth && !m_seen.insert(name).second) {
      m_twice = name;
    }
    return DocumentBuilder::key(name);
  }

 private:
  std::set<std::string> m_seen;
  std::string m_twice;
};

/// Parsed JSON, or why not; a name that occurs twice is an error.
Result<json::Value> parseIndex(const ByteSource& source) {
  IndexBuilder builder;
  auto read = json::readEvents(textOf(source.bytes), builder);
  if (!read && read.error().code() == ErrorCode::CorruptData) {
    return source.corrupt(builder.problemByte() == 0
                              ? builder.problem()
                              : fmt::format("not valid JSON at byte {}", builder.problemByte()));
  }
  ULP_TRY(whileDoing(source.path.string(), std::move(read)));
  if (!builder.twice().empty()) {
    return wrong(source.path, builder.twice(), "named twice");
  }
  return builder.take();
}

Result<WeightMap> weightMapOf(const ByteSource& source) {
  if (source.bytes.size() > kLargestIndex) {
    return source.corrupt("larger than 100 MB, the limit of such a file");
  }
  const auto index = ULP_TRY(parseIndex(source));
  const json::Value& map = index.at("weight_map");
  if (!map.isObject()) {
    return source.corrupt("weight_map: missing or not an object");
  }
  WeightMap weights;
  for (const auto& [name, shard] : map.members()) {
    const std::string& file = shard.text();
    // A shard lies beside its index: a name that leads elsewhere is not followed.
    if (file.empty() || file == "." || file == ".." || file.find('/') != std::string::npos) {
      return wrong(source.path, name, "its shard is not the name of a file in the same folder");
    }
    weights.emplace(name, file);
  }
  return weights;
}

Result<WeightMap> readWeightMap(const std::filesystem::path& path) {
  const auto source = ULP_TRY(openByteSource(path));
  return ifIntact(source, weightMapOf(source));
}

Result<TensorArchivePtr> openShard(const std::filesystem::path& index,
                                   const std::string& file,
                                   std::string_view tensor) {
  auto shard = openSafetensors(index.parent_path() / file);
  if (!shard && shard.error().code() == ErrorCode::NotFound) {
    return fail(ErrorCode::NotFound,
                index.string() + ": tensor " + quotedName(tensor) + ": its shard " +
                    quotedName(file) + " does not exist; download the checkpoint again");
  }
  return shard;
}

}  // namespace

Result<TensorArchivePtr> openSafetensorsIndex(const std::filesystem::path& path) {
  auto weights = ULP_TRY(readWeightMap(path));
  std::map<std::string, TensorArchivePtr> shards;
  for (const auto& [name, file] : weights) {
    if (shards.contains(file)) {
      continue;
    }
    shards[file] = ULP_TRY(openShard(path, file, name));
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
  return makeArchive(path,
                     std::move(infos),
                     [owners = std::move(owners)](const TensorInfo& info, std::size_t position) {
                       return owners[position]->read(info.name);
                     });
}

}  // namespace ulp::tensors

#include "core/engine/weights/weights.h"

#include <charconv>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <c10/util/StringUtil.h>
#include <c10/util/accumulate.h>

#include "core/engine/precision/convert.h"
#include "core/engine/weights/random_stream.h"
#include "core/tensors/formats/gguf/llama_in_gguf.h"

namespace ulp::engine {
namespace {

using tensors::TensorInfo;

tl::unexpected<Error> refuse(const ModelSource& source,
                             const std::string& tensor,
                             const std::string& problem) {
  return fail(ErrorCode::CorruptData,
              source.weights->path().string() + ": tensor '" + tensor + "': " + problem);
}

/// Name in the archive of every parameter, in the network's order.
std::vector<GgufPlace> placesOf(const ModelSource& source, const Network& network) {
  std::vector<GgufPlace> places;
  for (const ParameterSpec& spec : network.parameters()) {
    places.push_back(source.isGguf ? source.family->placeInGguf(spec.name, source.config)
                                   : GgufPlace{spec.name});
  }
  return places;
}

Result<> checkTensor(const ModelSource& source, const TensorInfo& info, const ParameterSpec& spec) {
  if (info.shape != spec.shape) {
    return refuse(source,
                  info.name,
                  "has shape [" + c10::Join(", ", info.shape) + "], the configuration gives [" +
                      c10::Join(", ", spec.shape) + "] for " + spec.name);
  }
  if (!isFloatingPoint(info.dtype)) {
    return refuse(source, info.name, "holds " + info.storedAs + ", not floating-point numbers");
  }
  return {};
}

/// A tensor of a layer beyond those that the user asked for is no mistake of the file.
bool isDroppedLayer(const ModelSource& source, const Network& network, std::string_view name) {
  const std::string_view prefix = source.isGguf ? "blk." : "model.layers.";
  if (!source.layersOverridden || !name.starts_with(prefix)) {
    return false;
  }
  name.remove_prefix(prefix.size());
  std::int64_t layer = -1;
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), layer);
  return parsed.ec == std::errc() && layer >= network.facts().layers;
}

Result<> checkTable(const ModelSource& source,
                    const Network& network,
                    const std::vector<GgufPlace>& places) {
  std::unordered_map<std::string_view, const TensorInfo*> stored;
  for (const TensorInfo& info : source.weights->tensors()) {
    stored.emplace(info.name, &info);
  }
  std::unordered_set<std::string_view> used;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const ParameterSpec& spec = network.parameters()[i];
    const auto found = stored.find(places[i].name);
    if (found == stored.end()) {
      return refuse(source, places[i].name, "is missing; the configuration needs it");
    }
    ULP_TRY(checkTensor(source, *found->second, spec));
    used.insert(found->first);
  }
  for (const TensorInfo& info : source.weights->tensors()) {
    if (!used.contains(info.name) && !source.family->isSpareTensor(info.name, source.config) &&
        !isDroppedLayer(source, network, info.name)) {
      return refuse(source, info.name, "is unexpected; the configuration has no place for it");
    }
  }
  return {};
}

Result<> readTensor(const ModelSource& source, const GgufPlace& place, StoredWeights& weights) {
  auto stored = ULP_TRY(source.weights->read(place.name));
  if (stored.file != nullptr) {
    weights.files.insert(stored.file);
  }
  if (place.permutedHeads > 0) {
    stored = ULP_TRY(tensors::undoLlamaPermutation(stored.view, place.permutedHeads));
  }
  auto tensor = ULP_TRY(guarded([&] { return shareTensor(stored); }));
  weights.tensors.push_back(std::move(tensor));
  return {};
}

/// The draws of a module's constructor. Only their number matters.
void skipConstructor(const ParameterSpec& spec, at::ScalarType dtype, RandomStream& random) {
  const std::int64_t count = c10::multiply_integers(spec.shape);
  if (spec.initializer == Initializer::Embedding) {
    random.skipNormal(count, dtype);
  } else if (spec.initializer != Initializer::Ones) {
    random.skipUniform(count, dtype);
  }
}

/// PreTrainedModel._init_weights on one parameter.
at::Tensor initialize(const ParameterSpec& spec,
                      const NetworkFacts& facts,
                      at::ScalarType dtype,
                      RandomStream& random) {
  at::Tensor tensor = at::empty(spec.shape, at::TensorOptions().dtype(dtype));
  switch (spec.initializer) {
    case Initializer::Ones:
      tensor.fill_(1);
      break;
    case Initializer::LinearBias:
      tensor.zero_();
      break;
    case Initializer::LinearWeight:
    case Initializer::Embedding:
      random.normal(tensor, facts.initializerRange);
      break;
  }
  return tensor;
}

}  // namespace

Result<> StoredWeights::checkIntact() const {
  for (const std::shared_ptr<const MappedFile>& file : files) {
    ULP_TRY(file->checkIntact());
  }
  return {};
}

Result<StoredWeights> loadWeights(const ModelSource& source,
                                  const Network& network,
                                  const std::stop_token& stop) {
  const std::vector<GgufPlace> places = placesOf(source, network);
  ULP_TRY(checkTable(source, network, places));
  StoredWeights weights;
  weights.tensors.reserve(places.size());
  for (const GgufPlace& place : places) {
    if (stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, "loading the weights was cancelled");
    }
    ULP_TRY(readTensor(source, place, weights));
  }
  return weights;
}

Result<StoredWeights> randomWeights(const Network& network,
                                    std::uint64_t seed,
                                    at::ScalarType dtype,
                                    const std::stop_token& stop) {
  RandomStream random(seed);
  const std::vector<ParameterSpec>& specs = network.parameters();
  const NetworkFacts& facts = network.facts();
  StoredWeights weights{std::vector<at::Tensor>(specs.size())};
  // First the base model with everything in it, then what stands beside it.
  for (const bool base : {true, false}) {
    const auto belongs = [&](const ParameterSpec& spec) {
      return spec.name.starts_with(facts.basePrefix) == base;
    };
    for (const ParameterSpec& spec : specs) {
      if (stop.stop_requested()) {
        return fail(ErrorCode::Cancelled, "initialising the weights was cancelled");
      }
      if (belongs(spec)) {
        skipConstructor(spec, dtype, random);
      }
    }
    for (std::size_t i = 0; i < specs.size(); ++i) {
      if (belongs(specs[i])) {
        weights.tensors[i] = initialize(specs[i], facts, dtype, random);
      }
    }
  }
  ULP_TRY(random.drawAll(stop));
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].initializer == Initializer::Embedding && facts.paddingToken >= 0) {
      weights.tensors[i].select(0, facts.paddingToken).zero_();
    }
  }
  return weights;
}

}  // namespace ulp::engine

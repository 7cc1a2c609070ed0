#include <array>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/model_limits.h"
#include "tests/core/engine/engine_fixture.h"
#include "tests/core/engine/tiny_model.h"
#include "tests/support/machine/rewritten_file.h"

namespace ulp::engine {
namespace {

Error openError(const ModelRequest& request) {
  auto model = tryOpen(request);
  EXPECT_FALSE(model);
  return model ? Error(ErrorCode::Internal, "no error") : model.error();
}

Error openError(const TinyModel& tiny, const std::string& architecture = "") {
  const test::TempDir folder;
  tiny.write(folder);
  return openError({.path = folder.path(), .architectureJson = architecture});
}

void expectMentions(const Error& error, ErrorCode code, const std::vector<std::string>& words) {
  EXPECT_EQ(error.code(), code) << error.message();
  for (const std::string& word : words) {
    EXPECT_NE(error.message().find(word), std::string::npos)
        << "'" << word << "' is not in: " << error.message();
  }
}

Recorder runOf(const ModelRequest& request) {
  const auto model = openOrFail(request);
  return runOrFail(*model, requestOf(DType::Float32, kVocabulary));
}

Recorder runOf(const TinyModel& tiny, const std::string& architecture = "") {
  const test::TempDir folder;
  tiny.write(folder);
  return runOf({.path = folder.path(), .architectureJson = architecture});
}

TEST(WeightTable, NamesTheMissingTensor) {
  TinyModel tiny;
  tiny.weights.erase("model.layers.1.mlp.up_proj.weight");
  expectMentions(openError(tiny),
                 ErrorCode::CorruptData,
                 {"model.safetensors", "'model.layers.1.mlp.up_proj.weight'", "missing"});
}

TEST(WeightTable, NamesTheUnexpectedTensor) {
  TinyModel tiny;
  tiny.add("model.layers.0.self_attn.q_proj.bias", {16});
  expectMentions(openError(tiny),
                 ErrorCode::CorruptData,
                 {"model.safetensors", "'model.layers.0.self_attn.q_proj.bias'", "unexpected"});
}

TEST(WeightTable, NamesTheWrongShape) {
  TinyModel tiny;
  tiny.add("model.norm.weight", {17});
  expectMentions(openError(tiny),
                 ErrorCode::CorruptData,
                 {"model.safetensors", "'model.norm.weight'", "[17]", "[16]"});
}

TEST(WeightTable, RefusesIntegers) {
  TinyModel tiny;
  const test::TempDir folder;
  tiny.writeConfig(folder);
  tiny.writeFile<std::int32_t>(folder / "model.safetensors", DType::Int32);
  expectMentions(openError({.path = folder.path()}), ErrorCode::CorruptData, {"floating-point"});
}

TEST(WeightTable, IgnoresTheHeadOfATiedModelAndOldRotaryBuffers) {
  TinyModel tiny;
  tiny.config["tie_word_embeddings"] = true;
  tiny.add("model.layers.0.self_attn.rotary_emb.inv_freq", {2});
  const test::TempDir folder;
  tiny.write(folder);
  const auto model = openOrFail({.path = folder.path()});
  for (const Site& site : model->sites({})) {
    EXPECT_NE(site.name, "lm_head.weight");
  }
}

TEST(WeightTable, IsReadFromShardsAsFromOneFile) {
  const TinyModel tiny;
  const test::TempDir folder;
  tiny.writeConfig(folder);
  nlohmann::json map;
  for (const auto& [name, tensor] : tiny.weights) {
    map[name] = name.starts_with("model.layers.1") ? "second.safetensors" : "first.safetensors";
  }
  TinyModel first = tiny;
  std::erase_if(first.weights, [](const auto& w) { return w.first.starts_with("model.layers.1"); });
  first.writeFile<float>(folder / "first.safetensors", DType::Float32);
  tiny.writeFile<float>(folder / "second.safetensors", DType::Float32, "model.layers.1");
  folder.write("model.safetensors.index.json", nlohmann::json{{"weight_map", map}}.dump());
  expectSameRuns(runOf({.path = folder.path()}), runOf(tiny));
}

TEST(WeightTable, IsTheSameInEveryFloatFormatThatHoldsTheValues) {
  TinyModel tiny;
  const test::TempDir folder;
  tiny.writeDouble(folder);
  expectSameRuns(runOf({.path = folder.path()}), runOf(tiny));
}

/// The process ended with SIGBUS, or computed with what somebody else had written meanwhile.
TEST(WeightTable, OfAFileThatIsCutOrChangedFailsRunsByName) {
  const TinyModel tiny;
  for (const bool isCut : {true, false}) {
    const test::TempDir folder;
    tiny.write(folder);
    const auto file = folder / "model.safetensors";
    const auto model = openOrFail({.path = folder.path()});
    runOrFail(*model, requestOf(DType::Float32, kVocabulary));
    const RunRequest request = requestOf(DType::BFloat16, kVocabulary);
    Recorder recorder;
    bool isDone = false;
    recorder.onObserve = [&](const Site&) {
      // In the middle of a run; the next one sees it before it begins.
      if (!std::exchange(isDone, true)) {
        isCut ? std::filesystem::resize_file(file, 0) : test::writeInPlace(file, "12345678");
      }
      return Result<>();
    };
    for (int run = 0; run < 2; ++run) {
      expectMentions(runError(*model, request, recorder),
                     ErrorCode::CorruptData,
                     {file.string() + ": the file ", isCut ? "became shorter" : "was changed"});
    }
  }
}

TEST(ModelInfo, DescribesTheModel) {
  const TinyModel tiny;
  const test::TempDir folder;
  tiny.write(folder);
  const auto model = openOrFail({.path = folder.path()});
  const ModelInfo& info = model->info();
  EXPECT_EQ(info.name, folder.path().filename());
  EXPECT_EQ(info.family, "llama");
  EXPECT_EQ(info.layers, 2);
  EXPECT_EQ(info.vocabularySize, kVocabulary);
  EXPECT_EQ(info.maxPositions, 64);
  std::uint64_t count = 0;
  for (const auto& [name, tensor] : tiny.weights) {
    count += tensor.values.size();
  }
  EXPECT_EQ(info.parameters, count);
}

TEST(ModelInfo, HoldsTheSha256OfTheWeights) {
  const test::TempDir folder;
  TinyModel().write(folder);
  const std::string command =
      "sha256sum '" + (folder / "model.safetensors").string() + "' | cut -c1-64";
  std::array<char, 80> expected{};
  FILE* pipe = popen(command.c_str(), "r");  // NOLINT(cert-env33-c)
  ASSERT_NE(pipe, nullptr);
  ASSERT_NE(std::fgets(expected.data(), expected.size(), pipe), nullptr);
  pclose(pipe);
  const auto model = openOrFail({.path = folder.path()});
  EXPECT_EQ(*model->weightsDigest() + "\n", expected.data());
}

TEST(Config, HasTheSameMeaningInBothSpellings) {
  TinyModel old;
  old.config["rope_theta"] = 500000.0;
  old.config["rope_scaling"] = {{"type", "linear"}, {"factor", 4.0}};
  TinyModel fresh;
  fresh.config.erase("rope_theta");
  fresh.config["rope_parameters"] = {
      {"rope_type", "linear"}, {"factor", 4.0}, {"rope_theta", 500000.0}};
  expectSameRuns(runOf(old), runOf(fresh));
  EXPECT_NE(runOf(old).of("logits", Pass::Forward).bytes,
            runOf(TinyModel()).of("logits", Pass::Forward).bytes);
}

TEST(Config, TakesNullAsAbsent) {
  TinyModel tiny;
  for (const char* field : {"head_dim", "rope_scaling", "pad_token_id", "quantization_config"}) {
    tiny.config[field] = nullptr;
  }
  expectSameRuns(runOf(tiny), runOf(TinyModel()));
}

TEST(Config, NamesFileAndFieldOfWhatItCannotUse) {
  const auto expectRefused = [](const char* field, const nlohmann::json& value, ErrorCode code) {
    TinyModel tiny;
    tiny.config[field] = value;
    const bool isRope = std::string_view(field) == "rope_scaling";
    expectMentions(openError(tiny), code, {"config.json", isRope ? "rope_parameters" : field});
  };
  expectRefused("hidden_size", "big", ErrorCode::CorruptData);
  expectRefused("hidden_size", 18, ErrorCode::CorruptData);
  expectRefused("hidden_size", -16, ErrorCode::CorruptData);
  expectRefused("num_key_value_heads", 3, ErrorCode::CorruptData);
  expectRefused("head_dim", 5, ErrorCode::CorruptData);
  expectRefused("pad_token_id", 37, ErrorCode::CorruptData);
  expectRefused("rms_norm_eps", "small", ErrorCode::CorruptData);
  expectRefused("tie_word_embeddings", 1, ErrorCode::CorruptData);
  expectRefused("hidden_act", "swishy", ErrorCode::Unsupported);
  expectRefused("pretraining_tp", 2, ErrorCode::Unsupported);
  expectRefused("quantization_config", {{"bits", 4}}, ErrorCode::Unsupported);
  expectRefused("rope_scaling", {{"type", "spiral"}}, ErrorCode::Unsupported);
  expectRefused("rope_scaling", {{"type", "linear"}}, ErrorCode::CorruptData);
  expectRefused("rope_scaling",
                {{"type", "longrope"}, {"short_factor", {1.0}}, {"long_factor", {1.0, 2.0}}},
                ErrorCode::CorruptData);
}

TEST(Config, NamesTheSupportedArchitectures) {
  TinyModel tiny;
  tiny.config["architectures"] = {"MambaForCausalLM"};
  expectMentions(
      openError(tiny), ErrorCode::Unsupported, {"'MambaForCausalLM'", "LlamaForCausalLM"});
}

TEST(Config, IsMissedByName) {
  const test::TempDir folder;
  expectMentions(openError({.path = folder.path()}), ErrorCode::NotFound, {"config.json"});
  expectMentions(openError({.path = folder / "nowhere"}), ErrorCode::NotFound, {"nowhere"});
  TinyModel().writeConfig(folder);
  expectMentions(openError({.path = folder.path()}), ErrorCode::NotFound, {"model.safetensors"});
  folder.write("config.json", "{\"vocab_size\": ");
  expectMentions(openError({.path = folder.path()}), ErrorCode::CorruptData, {"config.json"});
}

TEST(Override, NamesTheNearestField) {
  expectMentions(openError(TinyModel(), R"({"rms_norm_epps": 1e-6})"),
                 ErrorCode::InvalidArgument,
                 {"'rms_norm_epps'", "'rms_norm_eps'"});
  expectMentions(openError(TinyModel(), "[1]"), ErrorCode::InvalidArgument, {"architecture"});
}

TEST(Override, IsNamedWhereItsValueIsWrong) {
  expectMentions(openError(TinyModel(), R"({"num_hidden_layers": 0})"),
                 ErrorCode::CorruptData,
                 {"config.json with model.architecture: num_hidden_layers"});
}

TEST(Override, ReplacesFieldsOfTheConfig) {
  TinyModel changed;
  changed.config["rms_norm_eps"] = 0.5;
  changed.config["rope_theta"] = 77.0;
  expectSameRuns(runOf(TinyModel(), R"({"rms_norm_eps": 0.5, "rope_theta": 77.0})"),
                 runOf(changed));
}

TEST(Override, ReplacesRopeInAnySpelling) {
  TinyModel scaled;
  scaled.config["rope_scaling"] = {{"type", "linear"}, {"factor", 4.0}};
  const Recorder expected = runOf(scaled);
  expectSameRuns(runOf(TinyModel(), R"({"rope_scaling": {"type": "linear", "factor": 4.0}})"),
                 expected);
  expectSameRuns(
      runOf(TinyModel(), R"({"rope_parameters": {"rope_type": "linear", "factor": 4.0}})"),
      expected);
  expectSameRuns(runOf(scaled, R"({"rope_scaling": null})"), runOf(TinyModel()));
}

TEST(Override, MayUseFewerLayersThanTheFileHolds) {
  const test::TempDir folder;
  TinyModel().write(folder);
  const auto model =
      openOrFail({.path = folder.path(), .architectureJson = R"({"num_hidden_layers": 1})"});
  EXPECT_EQ(model->info().layers, 1);
  const Recorder one = runOrFail(*model, requestOf(DType::Float32, kVocabulary));
  EXPECT_EQ(one.of("decoder.0", Pass::Forward).bytes,
            runOf(TinyModel()).of("decoder.0", Pass::Forward).bytes);
  expectMentions(openError(TinyModel(), R"({"num_hidden_layers": 3})"),
                 ErrorCode::CorruptData,
                 {"'model.layers.2.self_attn.q_proj.weight'", "missing"});
}

TEST(RandomWeights, FollowTheSeed) {
  const test::TempDir folder;
  TinyModel().writeConfig(folder);
  const ModelRequest request{.path = folder.path(), .randomWeights = true, .seed = 3};
  const Recorder first = runOf(request);
  expectSameRuns(first, runOf(request));
  ModelRequest other = request;
  other.seed = 4;
  EXPECT_NE(first.of("logits", Pass::Forward).bytes,
            runOf(other).of("logits", Pass::Forward).bytes);
  EXPECT_EQ(*openOrFail(request)->weightsDigest(), *openOrFail(request)->weightsDigest());
  EXPECT_NE(*openOrFail(request)->weightsDigest(), *openOrFail(other)->weightsDigest());
}

void addBiases(TinyModel& tiny) {
  tiny.config["attention_bias"] = true;
  tiny.config["mlp_bias"] = true;
  const std::vector<std::pair<std::string, std::int64_t>> modules{{".self_attn.q_proj", 16},
                                                                  {".self_attn.k_proj", 8},
                                                                  {".self_attn.v_proj", 8},
                                                                  {".self_attn.o_proj", 16},
                                                                  {".mlp.gate_proj", 24},
                                                                  {".mlp.up_proj", 24},
                                                                  {".mlp.down_proj", 16}};
  for (const char* layer : {"model.layers.0", "model.layers.1"}) {
    for (const auto& [module, size] : modules) {
      tiny.add(layer + module + ".bias", {size});
    }
  }
}

void expectGgufRunsAsFolder(TinyModel tiny) {
  const test::TempDir folder;
  const auto file = folder.write("tiny.gguf", TinyGguf(tiny).content());
  // The file holds epsilon as float32.
  tiny.config["rms_norm_eps"] = static_cast<double>(1e-5F);
  expectSameRuns(runOf({.path = file}), runOf(tiny));
}

TEST(Gguf, RunsAsTheFolderThatItWasMadeFrom) {
  expectGgufRunsAsFolder({});
}

TEST(Gguf, RunsWithBiasesAsTheFolderThatItWasMadeFrom) {
  TinyModel tiny;
  addBiases(tiny);
  expectGgufRunsAsFolder(std::move(tiny));
}

TEST(Gguf, TiesTheHeadThatItDoesNotHold) {
  TinyModel tiny;
  tiny.weights.erase("lm_head.weight");
  const test::TempDir folder;
  const auto file = folder.write("tiny.gguf", TinyGguf(tiny).content());
  tiny.config["tie_word_embeddings"] = true;
  tiny.config["rms_norm_eps"] = static_cast<double>(1e-5F);
  expectSameRuns(runOf({.path = file}), runOf(tiny));
}

TEST(Gguf, ReadsRopeScaling) {
  TinyModel tiny;
  tiny.config["rms_norm_eps"] = static_cast<double>(1e-5F);
  const test::TempDir folder;
  TinyGguf linear(tiny);
  linear.text("llama.rope.scaling.type", "linear");
  linear.real("llama.rope.scaling.factor", 4.0F);
  const auto file = folder.write("linear.gguf", linear.content());
  TinyModel expected = tiny;
  expected.config["rope_scaling"] = {{"type", "linear"}, {"factor", 4.0}};
  expectSameRuns(runOf({.path = file}), runOf(expected));

  TinyGguf factors(tiny);
  factors.add("rope_freqs.weight", {{2}, {4.0, 4.0}});
  const auto other = folder.write("factors.gguf", factors.content());
  const Recorder divided = runOf({.path = other});
  EXPECT_LT(relativeError(runOf(expected).of("logits", Pass::Forward),
                          divided.of("logits", Pass::Forward)),
            1e-6);
}

TEST(Gguf, NamesTheSupportedArchitectures) {
  const test::TempDir folder;
  std::string content = TinyGguf(TinyModel()).content();
  content.replace(content.find("llama"), 5, "mamba");
  const auto file = folder.write("mamba.gguf", content);
  expectMentions(openError({.path = file}), ErrorCode::Unsupported, {"'mamba'", "llama"});
}

TEST(OpenModel, RefusesSizesThatNoModelHasBeforeAnythingIsMade) {
  for (const ModelLimit& limit : kModelLimits) {
    TinyModel tiny;
    tiny.config[std::string(limit.field)] = limit.largest + 1;
    expectMentions(openError(tiny),
                   ErrorCode::CorruptData,
                   {"config.json: " + std::string(limit.field) + ": ",
                    std::to_string(limit.largest + 1) + " is more than any model has",
                    "at most " + std::to_string(limit.largest) + " are taken"});
  }
  const test::TempDir folder;
  TinyModel().writeConfig(folder);
  expectMentions(openError({.path = folder.path(),
                            .randomWeights = true,
                            .architectureJson = R"({"num_hidden_layers": 2000000000})"}),
                 ErrorCode::CorruptData,
                 {"model.architecture: num_hidden_layers: 2000000000 is more than any model has"});
  TinyModel deep;
  deep.config["num_hidden_layers"] = 2000000000;
  const auto file = folder.write("deep.gguf", TinyGguf(deep).content());
  expectMentions(openError({.path = file}),
                 ErrorCode::CorruptData,
                 {"deep.gguf: metadata: num_hidden_layers: 2000000000 is more than"});
}

TEST(OpenModel, CanBeCancelled) {
  const test::TempDir folder;
  TinyModel().write(folder);
  std::stop_source source;
  source.request_stop();
  const auto model = sharedEngine().openModel({.path = folder.path()}, source.get_token());
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code(), ErrorCode::Cancelled);
}

/// Behind its tensors the file has gigabytes, which are hashed in the background.
TEST(OpenModel, AStopEndsTheHashingOfTheWeights) {
  const test::TempDir folder;
  const auto file = folder.write("tiny.gguf", TinyGguf(TinyModel()).content());
  std::filesystem::resize_file(file, std::uintmax_t{64} << 30U);
  std::stop_source source;
  const auto model = sharedEngine().openModel({.path = file}, source.get_token());
  ASSERT_TRUE(model) << model.error().message();
  source.request_stop();
  for (int again = 0; again < 2; ++again) {
    const auto digest = (*model)->weightsDigest();
    ASSERT_FALSE(digest);
    EXPECT_EQ(digest.error().code(), ErrorCode::Cancelled);
  }
}

}  // namespace
}  // namespace ulp::engine

// Reads with the readers of core/tensors and writes what it read, for the Python oracles:
//   convert IN OUT.safetensors            every tensor of weights that openWeights() opens
//   npy IN.npy OUT.safetensors            the array, as `array`
//   torch LIST OUT.safetensors            every tensor of the torch files that LIST names, one a
//   line,
//                                         as `line/name`; those that are not read are left out
//   unpermute IN TENSOR HEADS OUT         one tensor without llama.cpp's permutation
//   store IN FOLDER RUN                   every tensor as a capture of a run
//   captures FOLDER OUT.safetensors       every capture, as `run/pass/name`
//   write IN FOLDER                       every tensor as `name.pt` and `name.npy`
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensors/formats/gguf/llama_in_gguf.h"
#include "core/tensors/formats/numpy/npy.h"
#include "core/tensors/formats/numpy/npy_writer.h"
#include "core/tensors/formats/safetensors/safetensors.h"
#include "core/tensors/formats/torch/torch_writer.h"
#include "core/tensors/hdf5/capture_writer.h"
#include "core/tensors/opening/tensor_file.h"
#include "core/tensors/store/capture_reader.h"

namespace ulp::tensors {
namespace {

using Arguments = std::vector<std::string>;

Result<> write(const std::string& path,
               const std::vector<std::pair<std::string, Tensor>>& tensors) {
  std::vector<NamedTensor> named;
  named.reserve(tensors.size());
  for (const auto& [name, tensor] : tensors) {
    named.push_back({name, tensor.view});
  }
  return writeSafetensors(path, named);
}

Result<> convert(const Arguments& arguments) {
  const auto archive = openWeights(arguments.at(0));
  if (!archive) {
    return tl::unexpected(archive.error());
  }
  std::vector<std::pair<std::string, Tensor>> tensors;
  for (const TensorInfo& info : (*archive)->tensors()) {
    auto tensor = (*archive)->read(info.name);
    if (!tensor) {
      return tl::unexpected(tensor.error());
    }
    tensors.emplace_back(info.name, std::move(*tensor));
  }
  return write(arguments.at(1), tensors);
}

Result<> npy(const Arguments& arguments) {
  auto tensor = readNpy(arguments.at(0));
  return tensor ? write(arguments.at(1), {{"array", std::move(*tensor)}})
                : tl::unexpected(tensor.error());
}

Result<> files(const Arguments& arguments) {
  std::vector<std::pair<std::string, Tensor>> tensors;
  std::ifstream list(arguments.at(0));
  std::string path;
  for (int line = 0; std::getline(list, path); ++line) {
    const auto file = openTensorFile(path);
    if (!file) {
      return tl::unexpected(file.error());
    }
    for (const TensorInfo& info : (*file)->tensors()) {
      auto tensor = (*file)->read(info.name);
      if (tensor) {
        tensors.emplace_back(std::to_string(line) + "/" + info.name, std::move(*tensor));
      } else if (tensor.error().code() != ErrorCode::Unsupported) {
        return tl::unexpected(tensor.error());
      }
    }
  }
  return write(arguments.at(1), tensors);
}

Result<> unpermute(const Arguments& arguments) {
  const auto archive = openWeights(arguments.at(0));
  if (!archive) {
    return tl::unexpected(archive.error());
  }
  const auto stored = (*archive)->read(arguments.at(1));
  if (!stored) {
    return tl::unexpected(stored.error());
  }
  auto tensor = undoLlamaPermutation(stored->view, std::stoll(arguments.at(2)));
  return tensor ? write(arguments.at(3), {{arguments.at(1), std::move(*tensor)}})
                : tl::unexpected(tensor.error());
}

Result<> storeRun(const Arguments& arguments) {
  const auto archive = openWeights(arguments.at(0));
  const auto writer = CaptureWriter::create(arguments.at(1));
  if (!archive || !writer) {
    return tl::unexpected(archive ? writer.error() : archive.error());
  }
  auto done = (*writer)->beginRun(arguments.at(2));
  for (const TensorInfo& info : (*archive)->tensors()) {
    const auto tensor = (*archive)->read(info.name);
    if (!done || !tensor) {
      return done ? tl::unexpected(tensor.error()) : done;
    }
    done = (*writer)->put({info.name, "model", 3, Level::Module, Pass::Backward}, tensor->view, 0);
  }
  return done ? (*writer)->finishRun() : done;
}

Result<> captures(const Arguments& arguments) {
  const auto reader = CaptureReader::open(arguments.at(0));
  if (!reader) {
    return tl::unexpected(reader.error());
  }
  std::vector<std::pair<std::string, Tensor>> tensors;
  for (const StoredCapture& capture : (*reader)->captures()) {
    auto tensor = (*reader)->read(capture);
    if (!tensor) {
      return tl::unexpected(tensor.error());
    }
    tensors.emplace_back(
        capture.run + "/" + std::string(toString(capture.site.pass)) + "/" + capture.site.name,
        std::move(*tensor));
  }
  return write(arguments.at(1), tensors);
}

Result<> writeFiles(const Arguments& arguments) {
  const auto archive = openWeights(arguments.at(0));
  if (!archive) {
    return tl::unexpected(archive.error());
  }
  const std::filesystem::path folder = arguments.at(1);
  for (const TensorInfo& info : (*archive)->tensors()) {
    const auto tensor = (*archive)->read(info.name);
    auto done = tensor ? writeTorchTensor(folder / (info.name + ".pt"), tensor->view)
                       : tl::unexpected(tensor.error());
    done = done ? writeNpy(folder / (info.name + ".npy"), tensor->view) : done;
    if (!done) {
      return done;
    }
  }
  return {};
}

struct Command {
  std::size_t arguments;
  Result<> (*run)(const Arguments&);
};

int runTool(const Arguments& arguments) {
  const std::map<std::string, Command> commands{{"convert", {2, convert}},
                                                {"npy", {2, npy}},
                                                {"files", {2, files}},
                                                {"unpermute", {4, unpermute}},
                                                {"store", {3, storeRun}},
                                                {"captures", {2, captures}},
                                                {"write", {2, writeFiles}}};
  const auto command = arguments.empty() ? commands.end() : commands.find(arguments.front());
  if (command == commands.end() || command->second.arguments != arguments.size() - 1) {
    std::cerr << "usage: see the head of oracle_tool.cpp\n";
    return 2;
  }
  const auto done = command->second.run({arguments.begin() + 1, arguments.end()});
  if (!done) {
    std::cerr << done.error().message() << '\n';
  }
  return done ? 0 : 1;
}

}  // namespace
}  // namespace ulp::tensors

int main(int argc, char** argv) {
  return ulp::tensors::runTool({argv + 1, argv + argc});
}

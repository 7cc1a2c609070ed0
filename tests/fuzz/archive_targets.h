#pragma once

#include <cstddef>
#include <cstdint>

#include "core/tensors/formats/atb/atb_file.h"
#include "core/tensors/formats/gguf/gguf.h"
#include "core/tensors/formats/numpy/npy.h"
#include "core/tensors/formats/numpy/npz.h"
#include "core/tensors/formats/safetensors/safetensors.h"
#include "core/tensors/formats/torch/torch_file.h"
#include "tests/fuzz/fuzz_bytes.h"

/// What the fuzzers do with one input; the corpus test does the same with every seed. They end the
/// process where a reader breaks its promise.
namespace ulp::tensors {

/// Reads every tensor of an archive whose packed members are unpacked only then; each must be
/// there, be unsupported or turn out to be damaged.
inline void touchPacked(const TensorArchive& archive) {
  for (const TensorInfo& info : archive.tensors()) {
    if (const auto tensor = archive.read(info.name)) {
      touch(*tensor);
    } else if (tensor.error().code() != ErrorCode::Unsupported &&
               tensor.error().code() != ErrorCode::CorruptData) {
      std::abort();
    }
  }
}

inline void fuzzTorch(const std::uint8_t* data, std::size_t size) {
  if (const auto file = TorchFile::parse(fuzzSource(data, size))) {
    touchPacked(**file);
  }
}

inline void fuzzNpz(const std::uint8_t* data, std::size_t size) {
  if (const auto archive = parseNpz(fuzzSource(data, size))) {
    touchPacked(**archive);
  }
}

inline void fuzzNpy(const std::uint8_t* data, std::size_t size) {
  if (const auto tensor = parseNpy(fuzzSource(data, size))) {
    touch(*tensor);
  }
}

inline void fuzzSafetensors(const std::uint8_t* data, std::size_t size) {
  if (const auto archive = parseSafetensors(fuzzSource(data, size))) {
    touchAll(**archive);
  }
}

inline void fuzzGguf(const std::uint8_t* data, std::size_t size) {
  if (const auto file = GgufFile::parse(fuzzSource(data, size))) {
    touchAll(**file);
    for (const GgufEntry& entry : (*file)->metadata()) {
      static_cast<void>((*file)->integers(entry.key));
      static_cast<void>((*file)->reals(entry.key));
      static_cast<void>((*file)->texts(entry.key));
      static_cast<void>((*file)->text(entry.key));
    }
  }
}

inline void fuzzAtb(const std::uint8_t* data, std::size_t size) {
  const auto file = AtbFile::parse(fuzzSource(data, size));
  // Elements in another file would be looked for on the disk.
  if (file && (*file)->header().sameAs.empty()) {
    const auto tensor = (*file)->read("");
    if (tensor) {
      touch(*tensor);
    }
  }
}

}  // namespace ulp::tensors

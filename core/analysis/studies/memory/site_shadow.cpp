#include "core/analysis/studies/memory/site_shadow.h"

namespace ulp::analysis {

using numerics::NumberFormat;

MemoryTensor SiteShadow::cast(const MemoryTensor& x, Operation operation, bool isWhole) const {
  const NumberFormat format = m_formats[operation];
  const DType carrier = numerics::carrierOf(format);
  if (numerics::isSimulated(format)) {
    const bool isCopied = !isWhole || x.type() != carrier;
    const MemoryTensor read = isCopied ? m_run.make(x.count(), carrier) : x;
    return m_run.rounded(format, x.count());
  }
  if (x.type() == carrier) {
    return x;
  }
  MemoryTensor random;
  if (m_run.formats().isStochastic && itemSize(carrier) < itemSize(x.type())) {
    random = m_run.rounded(format, x.count());
  }
  return m_run.make(x.count(), carrier);
}

MemoryTensor SiteShadow::weight(const MemoryTensor& parameter, Operation operation) const {
  return m_formats[operation] == m_formats[Operation::Weights]
             ? m_run.inType(parameter, type(operation))
             : cast(parameter, operation);
}

}  // namespace ulp::analysis

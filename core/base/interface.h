#pragma once

namespace ulp {

/// Base of classes that others implement: destroyed through pointers to it, and copied only with
/// what derives from it.
class Interface {
 public:
  virtual ~Interface() = default;

 protected:
  Interface() = default;
  Interface(const Interface&) = default;
  Interface& operator=(const Interface&) = default;
};

}  // namespace ulp

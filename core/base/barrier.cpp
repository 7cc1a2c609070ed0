#include "core/base/barrier.h"

#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

namespace ulp {
namespace {

Error meaningOf(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const std::bad_alloc&) {
    return {ErrorCode::OutOfMemory,
            "there is not enough memory; close other programs, or open less at a time"};
  } catch (const std::length_error& e) {
    return {ErrorCode::OutOfMemory,
            std::string("more than any memory holds was asked for (") + e.what() +
                "); is a file damaged?"};
  } catch (const std::system_error& e) {
    return {ErrorCode::Io, e.what()};
  } catch (const std::exception& e) {
    return {ErrorCode::Internal, e.what()};
  } catch (...) {
    return {ErrorCode::Internal, "a library failed without saying why"};
  }
}

}  // namespace

Error caughtError(std::string_view doing) {
  return meaningOf(std::current_exception()).whileDoing(doing);
}

}  // namespace ulp

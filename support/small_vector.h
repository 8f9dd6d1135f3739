// Vectors of which the first few elements need no allocation, for lists that are short and of which there are many.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>

namespace partir {

/// A vector with room for n elements inside of the object.
template <class T, std::size_t n>
using SmallVector = boost::container::small_vector<T, n>;

}  // namespace partir

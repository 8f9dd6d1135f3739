// A layout that many values have. A lowered program of 100,000 values has a few dozen different layouts.
#pragma once

#include <memory>
#include <utility>

#include "ir/layout.h"

namespace partir {

/// An immutable layout that copies share, so that copying it costs no allocation.
class SharedLayout {
 public:
  SharedLayout() = default;    ///< the layout of a scalar
  SharedLayout(Layout layout)  // NOLINT(google-explicit-constructor): a layout
      : layout_(std::make_shared<const Layout>(std::move(layout))) {}

  const Layout& operator*() const { return layout_ ? *layout_ : scalar(); }
  const Layout* operator->() const { return &**this; }
  operator const Layout&() const { return **this; }  // NOLINT(google-explicit-constructor): a layout

  friend bool operator==(const SharedLayout& a, const SharedLayout& b) { return a.layout_ == b.layout_ || *a == *b; }

 private:
  static const Layout& scalar() {
    static const Layout layout;
    return layout;
  }

  std::shared_ptr<const Layout> layout_;
};

}  // namespace partir

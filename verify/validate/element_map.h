// A hash table keyed by elements: open addressing with linear probing, as the algebra looks up elements at every step.
#pragma once

#include <utility>
#include <vector>

#include "verify/validate/element.h"

namespace partir::validate {

template <class Value>
class ElementMap {
 public:
  /// Returns the value of the key, or null if there is none. The pointer is valid until the next insertion.
  [[nodiscard]] const Value* find(Element key) const {
    if (entries_.empty()) return nullptr;
    for (std::size_t at = slot(key);; at = (at + 1) & mask()) {
      const Entry& e = entries_[at];
      if (!e.used) return nullptr;
      if (e.key == key) return &e.value;
    }
  }
  [[nodiscard]] Value* find(Element key) { return const_cast<Value*>(std::as_const(*this).find(key)); }
  [[nodiscard]] bool contains(Element key) const { return find(key) != nullptr; }
  /// Inserts the value unless the key is present. Returns whether it was inserted.
  bool emplace(Element key, Value value) {
    if (2 * (size_ + 1) > entries_.size()) grow();
    for (std::size_t at = slot(key);; at = (at + 1) & mask()) {
      Entry& e = entries_[at];
      if (!e.used) {
        e.used = true;
        e.key = key;
        e.value = std::move(value);
        ++size_;
        return true;
      }
      if (e.key == key) return false;
    }
  }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Entry {
    Element key;
    Value value = {};
    bool used = false;
  };
  [[nodiscard]] std::size_t mask() const { return entries_.size() - 1; }
  [[nodiscard]] std::size_t slot(Element key) const { return ElementHash()(key) & mask(); }
  void grow() {
    std::vector<Entry> old = std::move(entries_);
    entries_ = std::vector<Entry>(old.empty() ? 64 : 2 * old.size());
    size_ = 0;
    for (Entry& e : old) {
      if (e.used) emplace(e.key, std::move(e.value));
    }
  }

  std::vector<Entry> entries_;
  std::size_t size_ = 0;
};

}  // namespace partir::validate

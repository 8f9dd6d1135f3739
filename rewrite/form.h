// Forms: operations at the local sizes that mesh axes leave, with the facts derived from those sizes. Equal operations
// share one form, because programs repeat their layers and a search repeats its states. rewrite/state.h holds one per
// site.
#pragma once

#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/op_decl.h"

namespace partir {

class FormTable;

/// An operation at certain sizes, with cached facts that follow from them.
class Form {
 public:
  Form(FormTable& table, OpInstance instance, bool carried)
      : table_(table), instance_(std::move(instance)), carried_(carried) {}

  [[nodiscard]] const OpInstance& instance() const { return instance_; }
  /// Its tile-mapping entries along an axis, followed by those that hold in blocks only (OpDecl::in_blocks).
  [[nodiscard]] const std::vector<Entry>& entries() const;
  /// Whether an entry holds in blocks only (OpDecl::in_blocks).
  [[nodiscard]] bool in_blocks(const Entry& entry) const;
  /// The form that each of n devices computes by an entry. Null if n does not divide a tiled size, or if an entry that
  /// holds in blocks only cannot be written in n blocks. The entry need not be one of entries().
  [[nodiscard]] const Form* localized(const Entry& entry, std::int64_t n) const;
  /// The largest divisor of n that divides all sizes that the entry tiles.
  [[nodiscard]] std::int64_t part_that_divides(const Entry& entry, std::int64_t n) const;

 private:
  friend class FormTable;
  struct Local {
    Entry entry;
    std::int64_t n;
    const Form* form;
  };

  FormTable& table_;
  OpInstance instance_;
  bool carried_;
  mutable std::optional<std::vector<Entry>> entries_;
  mutable std::size_t plain_entries_ = 0;  ///< number of entries before those that hold in blocks only
  mutable std::vector<Local> locals_;
};

/// All forms of a program. Not thread-safe.
class FormTable {
 public:
  FormTable() = default;
  FormTable(const FormTable&) = delete;
  FormTable& operator=(const FormTable&) = delete;

  /// Returns the form of an operation, the same one for equal operations. What the instance refers to must outlive the
  /// table.
  const Form* of(OpInstance instance) { return intern(std::move(instance), false); }
  /// Returns the form of a loop-carried value: any dimension may be tiled, in all operands and results alike.
  const Form* carried(OpInstance identity) { return intern(std::move(identity), true); }
  [[nodiscard]] std::size_t size() const { return forms_.size(); }

 private:
  const Form* intern(OpInstance instance, bool carried);

  std::deque<Form> forms_;  ///< a deque, so that references stay valid
  std::unordered_multimap<std::size_t, const Form*> by_hash_;
  friend class Form;
};

}  // namespace partir

// Operations at the sizes that mesh axes leave them, shared: programs repeat their layers, and a search its states.
#pragma once

#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/op_decl.h"

namespace partir {

class FormTable;

/// An operation at certain sizes, with what follows from them, worked out once.
class Form {
 public:
  Form(FormTable& table, OpInstance instance, bool carried)
      : table_(table), instance_(std::move(instance)), carried_(carried) {}

  [[nodiscard]] const OpInstance& instance() const { return instance_; }
  /// Its tile-mapping entries along an axis; behind them those that hold in blocks.
  [[nodiscard]] const std::vector<Entry>& entries() const;
  /// Whether an entry holds in blocks alone (OpDecl::in_blocks).
  [[nodiscard]] bool in_blocks(const Entry& entry) const;
  /// What each of n devices computes by an entry; null when n does not divide a tiled size, or the operation is not
  /// written in n blocks. The entry need not be one of entries().
  [[nodiscard]] const Form* localized(const Entry& entry, std::int64_t n) const;

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
  mutable std::size_t holding_ = 0;  ///< entries before those in blocks
  mutable std::vector<Local> locals_;
};

/// All forms of a program. Not for use by several threads at once.
class FormTable {
 public:
  FormTable() = default;
  FormTable(const FormTable&) = delete;
  FormTable& operator=(const FormTable&) = delete;

  /// The form of an operation: the same for equal ones. What the instance refers to must outlive the table.
  const Form* of(OpInstance instance) { return intern(std::move(instance), false); }
  /// Of a loop-carried value, whose operands and results are tiled alike along any dimension.
  const Form* carried(OpInstance identity) { return intern(std::move(identity), true); }
  [[nodiscard]] std::size_t size() const { return forms_.size(); }

 private:
  const Form* intern(OpInstance instance, bool carried);

  std::deque<Form> forms_;  ///< references stay valid
  std::unordered_multimap<std::size_t, const Form*> by_hash_;
  friend class Form;
};

}  // namespace partir

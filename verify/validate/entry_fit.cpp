// Searches depth first over the mesh axes, with no entry or one of the form's entries along each, and prunes by the
// known layouts and by the sizes of `local`.
#include "verify/validate/entry_fit.h"

#include <algorithm>

namespace partir::validate {
namespace {

constexpr std::size_t kMostFits = 16;  ///< most ways that are returned

Action action_along(const Layout& type, Axis axis) {
  if (const auto dim = type.tiled_by(axis)) return Action::tile(*dim);
  if (const auto monoid = type.pending_over(axis)) return Action::partial(*monoid);
  return Action::any();
}

void record_actions(const std::vector<Action>& actions, Axis axis, std::vector<Layout>& types) {
  for (std::size_t k = 0; k < types.size(); ++k) {
    if (actions[k].is_tile()) types[k].dims[actions[k].dim].emplace_back(axis);
    if (actions[k].is_partial()) types[k].add_pending(axis, actions[k].monoid);
  }
}

std::vector<Layout> replicated_types(const std::vector<Type>& types) {
  std::vector<Layout> out;
  for (const Type& t : types) out.push_back(Layout::replicated(t.rank()));
  return out;
}

class Fit {
 public:
  Fit(const Form& global, const OpInstance& local, const KnownTypes& operands, const KnownTypes& results,
      const Mesh& mesh)
      : local_(local), operands_(operands), results_(results), mesh_(mesh) {
    at_.operands = replicated_types(global.instance().operands);
    at_.results = replicated_types(global.instance().results);
  }

  std::vector<EntryFit> run(const Form& global) {
    for (std::size_t a = 0; a < mesh_.rank(); ++a) axes_.emplace_back(a);
    // The order of axes only matters where two of them tile one dimension.
    bool again = true;
    do {
      if (!is_order()) continue;
      step(global, 0);
      again = nests();
    } while (again && found_.size() < kMostFits && std::next_permutation(axes_.begin(), axes_.end()));
    return std::move(found_);
  }

 private:
  /// Whether `axes_` has the axes that share a dimension of a known layout in that order, outermost first.
  [[nodiscard]] bool is_order() const {
    for (const auto* known : {&operands_, &results_}) {
      for (const auto& type : *known) {
        if (!type) continue;
        for (const Layout::Dimension& axes : type->dims) {
          for (std::size_t k = 1; k < axes.size(); ++k) {
            if (std::find(axes_.begin(), axes_.end(), axes[k - 1].axis()) >
                std::find(axes_.begin(), axes_.end(), axes[k].axis()))
              return false;
          }
        }
      }
    }
    return true;
  }

  /// Whether a way was found in which several axes tile one dimension.
  [[nodiscard]] bool nests() const {
    const auto nested = [](const Layout& type) {
      return std::any_of(type.dims.begin(), type.dims.end(), [](const auto& axes) { return axes.size() > 1; });
    };
    return std::any_of(found_.begin(), found_.end(), [&](const EntryFit& f) {
      return std::any_of(f.operands.begin(), f.operands.end(), nested) ||
             std::any_of(f.results.begin(), f.results.end(), nested);
    });
  }

  static bool agrees(const KnownTypes& known, Axis axis, const std::vector<Action>& actions) {
    for (std::size_t k = 0; k < known.size(); ++k) {
      if (known[k] && action_along(*known[k], axis) != actions[k]) return false;
    }
    return true;
  }

  /// Whether each dimension is a multiple of that of the local operation, so that further tiling may reach it.
  static bool covers(const std::vector<Type>& types, const std::vector<Type>& local) {
    for (std::size_t k = 0; k < types.size(); ++k) {
      for (Dim d = 0; d < types[k].rank(); ++d) {
        if (types[k]->dims[d] % std::max<std::int64_t>(local[k]->dims[d], 1) != 0) return false;
      }
    }
    return true;
  }

  /// Tries all entries along the axes from number `next` on, until kMostFits ways are found.
  void step(const Form& form, std::size_t next) {
    const OpInstance& now = form.instance();
    if (next == axes_.size()) {
      if (now.operands != local_.operands || now.results != local_.results ||
          !(now.attributes.sorted() == local_.attributes.sorted()))
        return;
      const bool known = std::any_of(found_.begin(), found_.end(), [&](const EntryFit& f) {
        return f.operands == at_.operands && f.results == at_.results;
      });
      if (!known) found_.push_back(at_);
      return;
    }
    if (!covers(now.operands, local_.operands) || !covers(now.results, local_.results)) return;
    const Axis axis = axes_[next];
    const auto with = [&](const Form& local, const Entry* entry) {
      const EntryFit before = at_;
      if (entry != nullptr) {
        at_.along.push_back({mesh_.name(axis), *entry});
        record_actions(entry->operands, axis, at_.operands);
        record_actions(entry->results, axis, at_.results);
      }
      step(local, next + 1);
      at_ = before;
    };
    const std::vector<Action> none_of_operands(now.operands.size(), Action::any());
    const std::vector<Action> none_of_results(now.results.size(), Action::any());
    if (agrees(operands_, axis, none_of_operands) && agrees(results_, axis, none_of_results)) with(form, nullptr);
    if (mesh_.size(axis) == 1) return;
    for (const Entry& entry : form.entries()) {
      if (found_.size() >= kMostFits) return;
      if (!agrees(operands_, axis, entry.operands) || !agrees(results_, axis, entry.results)) continue;
      const Form* local = form.localized(entry, mesh_.size(axis));
      if (local != nullptr) with(*local, &entry);
    }
  }

  const OpInstance& local_;
  const KnownTypes& operands_;
  const KnownTypes& results_;
  const Mesh& mesh_;
  std::vector<Axis> axes_;
  EntryFit at_;
  std::vector<EntryFit> found_;
};

}  // namespace

std::vector<EntryFit> fit_entries(const Form& global, const OpInstance& local, const KnownTypes& operands,
                                  const KnownTypes& results, const Mesh& mesh) {
  const OpInstance& g = global.instance();
  if (g.decl != local.decl || g.operands.size() != local.operands.size() || g.results.size() != local.results.size())
    return {};
  const auto same_ranks = [](const std::vector<Type>& a, const std::vector<Type>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Type& x, const Type& y) {
      return x.is_tensor() && y.is_tensor() && x.rank() == y.rank() && x->element == y->element;
    });
  };
  if (!same_ranks(g.operands, local.operands) || !same_ranks(g.results, local.results)) return {};
  return Fit(global, local, operands, results, mesh).run(global);
}

}  // namespace partir::validate

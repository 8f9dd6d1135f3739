// How a value lies on a mesh: which part of it each device holds, and over which devices it is still to be reduced.
//
//   [{batch}, {model, x:(1)2}]       dimension 0 tiled by an axis; dimension 1 by an axis and, minor to it, by the
//   major
//                                    half of another ("x":(1)2 in Shardy: 2 values, behind 1 major to them)
//   [{4, batch}]                     4 stretches, each tiled by batch: what a reshape of [4, n] leaves
//   [{[0 1 1 0]}]                    a list: devices 0 and 3 hold the first half, 1 and 2 the second
//   [{x halo 1 2}]                   beside its own chunk a row of the chunk before and two of the one behind
//   [{}] partial{batch:sum}          a pending reduction: the value is the sum over batch of what the devices hold
//   [{}] on 3                        device 3 holds it, the others nothing
//
// Sizes are not part of a layout. Where the chunks of a dimension do not divide its size, each is as large as the
// first, and what lies beyond the end is padding (docs/adr/0073-layout.md).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/action.h"
#include "ir/mesh.h"
#include "ir/types.h"

namespace partir {

/// A factor of a dimension, or of what a reduction is pending over.
class Factor {
 public:
  enum class Kind : std::uint8_t {
    axis,    ///< device d holds piece (coordinate of d along the axis)
    digit,   ///< the same by a digit of the coordinate
    local,   ///< each device holds all pieces
    listed,  ///< device d holds the piece that a list says
  };

  Factor(Axis axis) : kind_(Kind::axis), axis_(axis) {}  // NOLINT(google-explicit-constructor): all of an axis
  /// Of the coordinate, a number below the axis' size n: coordinate / (n / (before * size)) % size. All of the axis
  /// where before is 1 and size is n. `before * size` divides n.
  static Factor digit(Axis axis, std::int64_t before, std::int64_t size, const Mesh& mesh);
  static Factor local(std::int64_t size);
  /// `piece` by device, all below `size`.
  static Factor listed(std::vector<std::int64_t> piece, std::int64_t size);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool is_axis() const { return kind_ == Kind::axis; }
  [[nodiscard]] bool is_tiled() const { return kind_ != Kind::local; }
  /// Of an axis or a digit of it.
  [[nodiscard]] Axis axis() const { return axis_; }
  [[nodiscard]] bool is_of(Axis axis) const { return kind_ <= Kind::digit && axis_ == axis; }
  /// Of a digit: positions of the axis major to it.
  [[nodiscard]] std::int64_t before() const { return before_; }
  /// Pieces.
  [[nodiscard]] std::int64_t size(const Mesh& mesh) const { return is_axis() ? mesh.size(axis_) : size_; }
  /// The piece that a device holds. Not of local factors.
  [[nodiscard]] std::int64_t piece(DeviceId device, const Mesh& mesh) const;
  /// The factor as a major and a minor one of this size, which divides its own.
  [[nodiscard]] std::pair<Factor, Factor> split(std::int64_t minor, const Mesh& mesh) const;
  /// "batch", "x:(1)2", "4", "[0 1 1 0]".
  [[nodiscard]] std::string str(const Mesh& mesh) const;

  friend std::strong_ordering operator<=>(const Factor& a, const Factor& b);
  friend bool operator==(const Factor& a, const Factor& b) { return (a <=> b) == 0; }

 private:
  Factor() = default;

  Kind kind_ = Kind::local;
  Axis axis_;
  std::int32_t before_ = 1;
  std::int32_t size_ = 0;                                   ///< 0: the axis'
  std::shared_ptr<const std::vector<std::int64_t>> piece_;  ///< of a list
};

/// The value is the combination of what devices hold that differ in the factor.
struct Pending {
  Factor over;
  Monoid monoid = Monoid::sum;
  friend auto operator<=>(const Pending&, const Pending&) = default;
  friend bool operator==(const Pending&, const Pending&) = default;
};

/// Rows of the neighbouring chunks that a device holds beside its own, for windows.
struct Halo {
  std::int64_t before = 0;
  std::int64_t behind = 0;
  friend auto operator<=>(const Halo&, const Halo&) = default;
};

/// Invariant: what a device holds is its part of the value, by each dimension's factors; a digit of an axis stands in
/// one place. (Whole axes alone: Memory-efficient redistribution, arXiv 2112.01075.)
struct Layout {
  using Dimension = std::vector<Factor>;  ///< major to minor; what is left of the dimension is local, minor to all

  std::vector<Dimension> dims;
  std::vector<Pending> pending = {};            ///< ordered
  std::vector<Halo> halos = {};                 ///< by dimension; empty: none has one
  std::optional<DeviceId> only = std::nullopt;  ///< the one device that holds the value; nullopt: all hold their parts

  static Layout replicated(std::size_t rank) { return {std::vector<Dimension>(rank)}; }
  [[nodiscard]] bool is_replicated() const;
  /// Whether all of its factors are whole axes, on all devices, without halos.
  [[nodiscard]] bool is_by_axes() const;
  /// The dimension an axis, or a digit of it, tiles.
  [[nodiscard]] std::optional<Dim> tiled_by(Axis axis) const;
  [[nodiscard]] std::optional<Monoid> pending_over(Axis axis) const;
  void add_pending(const Factor& over, Monoid monoid);
  void drop_pending(const Factor& over);

  // --- Which part a device holds (ir/layout_chunks.cpp) --------------------------------------------------------------

  /// Chunks of a dimension: the product of its tiled factors.
  [[nodiscard]] std::int64_t parts(Dim dim, const Mesh& mesh) const;
  /// Which of them a device holds.
  [[nodiscard]] std::int64_t chunk(Dim dim, DeviceId device, const Mesh& mesh) const;
  /// The same by device.
  [[nodiscard]] std::vector<std::int64_t> chunks(Dim dim, const Mesh& mesh) const;
  /// Shape of the part that one device holds, padding and halos included.
  [[nodiscard]] Type local(const Type& global, const Mesh& mesh) const;
  /// Where element `at` of a device's part stands in a dimension of this size; nullopt: in the padding, or beyond an
  /// end. Of [{batch}] on batch=4, device 1, size 10: element 2 is at 5; of device 3, at nullopt.
  [[nodiscard]] std::optional<std::int64_t> position(Dim dim, DeviceId device, std::int64_t at, std::int64_t size,
                                                     const Mesh& mesh) const;
  /// Whether all chunks are of one size.
  [[nodiscard]] bool divides(const TensorType& global, const Mesh& mesh) const;
  /// Whether it is a layout of values of this type: as many dimensions, each digit of an axis once, one monoid
  /// (combinations by two do not commute), and each part held by some device.
  [[nodiscard]] bool fits(const Type& global, const Mesh& mesh) const;

  // --- Algebra -------------------------------------------------------------------------------------------------------

  /// Adds a factor minor to those of a dimension.
  void append(Dim dim, const Factor& factor, const Mesh& mesh);
  /// Takes minor factors of this size from a dimension, whose number of chunks it divides, and returns them. Splits a
  /// factor where need be, and makes lists where no factors can be split so.
  Dimension take_minor(Dim dim, std::int64_t size, const Mesh& mesh);
  /// The layout of a part by `inner` of a part by this layout. Pending reductions of both.
  [[nodiscard]] Layout then(const Layout& inner, const Mesh& mesh) const;
  /// Whether each dimension's factors begin with those of the other layout: its parts lie inside the other's.
  [[nodiscard]] bool refines(const Layout& other) const;
  /// The layout by which each device holds the chunk `chunk[d][device]` of `parts[d]`: by axes and their digits where
  /// there are some, else by lists.
  static Layout of_chunks(const std::vector<std::int64_t>& parts, const std::vector<std::vector<std::int64_t>>& chunk,
                          const Mesh& mesh);
  /// The layout in which the device at `order[p]` holds what by this one the device at position p does, or with `back`
  /// the other way round.
  [[nodiscard]] Layout in_order(const std::vector<std::int64_t>& order, const Mesh& mesh, bool back = false) const;
  /// The same parts, lists as axes where that can be said.
  [[nodiscard]] Layout normalised(const Mesh& mesh) const;

  // --- Text (ir/layout_text.cpp) -------------------------------------------------------------------------------------

  [[nodiscard]] std::string str(const Mesh& mesh) const;
  /// Errors: what is no layout of this rank, axes or digits that the mesh lacks, or that stand twice.
  static Result<Layout> parse(std::string_view text, const Mesh& mesh, std::size_t rank);

  friend auto operator<=>(const Layout&, const Layout&) = default;
  friend bool operator==(const Layout&, const Layout&) = default;
};

/// Whether each device holds the same part by both, and the same reductions are pending.
bool same_parts(const Layout& a, const Layout& b, const Mesh& mesh);

/// By device: its chunk of every dimension.
std::vector<std::vector<std::int64_t>> parts_held(const Layout& layout, const Mesh& mesh);

}  // namespace partir

// The layout of a value on a mesh: which part of the value each device holds, and which reductions are pending.
//
//   [{batch}, {model, x:(1)2}]       dimension 0 is tiled by an axis; dimension 1 by an axis and, minor to it, by the
//                                    sub-axis "x":(1)2 (Shardy's notation: pre-size 1, size 2), the major half of x
//   [{4, batch}]                     4 contiguous blocks, each tiled by batch: a reshape of [4, n] tiled in dimension 1
//   [{[0 1 1 0]}]                    a list: devices 0 and 3 hold the first half, 1 and 2 the second
//   [{x halo 1 2}]                   in addition to its own chunk, one row of the previous chunk and two of the next
//   [{}] partial{batch:sum}          a pending reduction: the value is the sum over batch of what the devices hold
//   [{}] on 3                        device 3 holds the value, the other devices hold nothing
//
// Sizes are not part of a layout. If the number of chunks does not divide the size of a dimension, all chunks are as
// large as the first, and positions beyond the end are padding (docs/adr/0073-layout.md).
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

/// A factor of a dimension, which divides it into `size` pieces; or the devices over which a reduction is pending.
class Factor {
 public:
  enum class Kind : std::uint8_t {
    axis,    ///< device d holds the piece numbered by its coordinate along the axis
    digit,   ///< device d holds the piece numbered by a digit of its coordinate (a sub-axis)
    local,   ///< each device holds all pieces
    listed,  ///< device d holds the d-th piece of an explicit list
  };

  Factor(Axis axis) : kind_(Kind::axis), axis_(axis) {}  // NOLINT(google-explicit-constructor): the full axis
  /// The digit coordinate / (n / (before * size)) % size of the coordinate along an axis of size n; `before * size`
  /// must divide n. Returns the full axis if before is 1 and size is n. On an axis of 4, digit(1, 2) is the major bit
  /// of the coordinate and digit(2, 2) the minor one.
  static Factor digit(Axis axis, std::int64_t before, std::int64_t size, const Mesh& mesh);
  static Factor local(std::int64_t size);
  /// `piece[d]`, below `size`, is the piece that device d holds.
  static Factor listed(std::vector<std::int64_t> piece, std::int64_t size);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool is_axis() const { return kind_ == Kind::axis; }
  [[nodiscard]] bool is_tiled() const { return kind_ != Kind::local; }
  /// The axis of a factor of kind axis or digit.
  [[nodiscard]] Axis axis() const { return axis_; }
  [[nodiscard]] bool is_of(Axis axis) const { return kind_ <= Kind::digit && axis_ == axis; }
  /// The product of the sizes of the digits major to this one (Shardy's pre-size).
  [[nodiscard]] std::int64_t before() const { return before_; }
  /// The number of pieces.
  [[nodiscard]] std::int64_t size(const Mesh& mesh) const { return is_axis() ? mesh.size(axis_) : size_; }
  /// The piece that a device holds. The factor must not be local.
  [[nodiscard]] std::int64_t piece(DeviceId device, const Mesh& mesh) const;
  /// Splits the factor into a major one and a minor one of size `minor`, which must divide the factor's size.
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
  std::int32_t size_ = 0;                                   ///< 0: the size of the axis
  std::shared_ptr<const std::vector<std::int64_t>> piece_;  ///< for kind listed, by device
};

/// A pending reduction: the value is the combination by `monoid` of what the devices that differ in `over` hold.
struct Pending {
  Factor over;
  Monoid monoid = Monoid::sum;
  friend auto operator<=>(const Pending&, const Pending&) = default;
  friend bool operator==(const Pending&, const Pending&) = default;
};

/// The numbers of rows of the previous and the next chunk that a device holds in addition to its own, for windows.
struct Halo {
  std::int64_t before = 0;
  std::int64_t behind = 0;
  friend auto operator<=>(const Halo&, const Halo&) = default;
};

/// The part of a value that each device holds. Invariant: the factors of each dimension determine the device's part,
/// and each digit of an axis occurs at most once. (Layouts by full axes alone: Memory-efficient redistribution,
/// arXiv 2112.01075.)
struct Layout {
  using Dimension = std::vector<Factor>;  ///< major to minor; the rest of the dimension is local, minor to all

  std::vector<Dimension> dims;
  std::vector<Pending> pending = {};            ///< ordered
  std::vector<Halo> halos = {};                 ///< by dimension; empty if no dimension has a halo
  std::optional<DeviceId> only = std::nullopt;  ///< the only device with the value; nullopt: each holds its part

  static Layout replicated(std::size_t rank) { return {std::vector<Dimension>(rank)}; }
  [[nodiscard]] bool is_replicated() const;
  /// True if all factors are full axes and all devices hold a part, without halos.
  [[nodiscard]] bool is_by_axes() const;
  /// The first dimension that the axis, or a digit of it, tiles.
  [[nodiscard]] std::optional<Dim> tiled_by(Axis axis) const;
  [[nodiscard]] std::optional<Monoid> pending_over(Axis axis) const;
  void add_pending(const Factor& over, Monoid monoid);
  void drop_pending(const Factor& over);

  // --- The part that a device holds (ir/layout_chunks.cpp) -----------------------------------------------------------

  /// The number of chunks of a dimension: the product of the sizes of its tiled factors.
  [[nodiscard]] std::int64_t parts(Dim dim, const Mesh& mesh) const;
  /// The number of the chunk that a device holds.
  [[nodiscard]] std::int64_t chunk(Dim dim, DeviceId device, const Mesh& mesh) const;
  /// The number of the chunk that each device holds, by device.
  [[nodiscard]] std::vector<std::int64_t> chunks(Dim dim, const Mesh& mesh) const;
  /// The type of the part that one device holds, including padding and halos.
  [[nodiscard]] Type local(const Type& global, const Mesh& mesh) const;
  /// The global index of element `at` of a device's part in a dimension of this size; nullopt if the element is padding
  /// or outside the dimension, or if the device holds nothing. For [{batch}] on batch=4 and size 10 (chunks of 3),
  /// element 2 of device 1 has the index 5, and element 2 of device 3 has none.
  [[nodiscard]] std::optional<std::int64_t> position(Dim dim, DeviceId device, std::int64_t at, std::int64_t size,
                                                     const Mesh& mesh) const;
  /// True if the number of pieces divides the size of every dimension, so that there is no padding.
  [[nodiscard]] bool divides(const TensorType& global, const Mesh& mesh) const;
  /// True if this is a layout for values of type `global`: the rank matches, each digit of an axis occurs once, all
  /// pending reductions have the same monoid (different ones do not commute), and some device holds each part.
  [[nodiscard]] bool fits(const Type& global, const Mesh& mesh) const;

  // --- Algebra -------------------------------------------------------------------------------------------------------

  /// Adds a factor to a dimension, minor to all others. Merges it with the last factor if both are adjacent digits.
  void append(Dim dim, const Factor& factor, const Mesh& mesh);
  /// Removes minor factors with `size` pieces in total from a dimension and returns them; `size` must divide the number
  /// of chunks. Splits a factor if necessary, and uses lists if the factors cannot be split that way.
  Dimension take_minor(Dim dim, std::int64_t size, const Mesh& mesh);
  /// Composes two layouts: this layout first, and `inner` applied to each part. The result has the pending reductions
  /// of both.
  [[nodiscard]] Layout then(const Layout& inner, const Mesh& mesh) const;
  /// True if each part of this layout lies inside a part of `other`: the factors of each dimension begin with those of
  /// `other`, and the pending reductions and `only` are equal. Halos are not compared.
  [[nodiscard]] bool refines(const Layout& other) const;
  /// The layout in which each device holds chunk `chunk[d][device]` of `parts[d]` chunks of dimension d, expressed by
  /// axes and their digits where possible, and by lists otherwise.
  static Layout of_chunks(const std::vector<std::int64_t>& parts, const std::vector<std::vector<std::int64_t>>& chunk,
                          const Mesh& mesh);
  /// The layout in which device `order[p]` holds the chunks that the device at position p holds in this layout; with
  /// `back`, the inverse. The result has no pending reductions, halos or local factors.
  [[nodiscard]] Layout in_order(const std::vector<std::int64_t>& order, const Mesh& mesh, bool back = false) const;
  /// The same layout, with lists expressed by axes and digits where possible.
  [[nodiscard]] Layout normalised(const Mesh& mesh) const;

  // --- Text (ir/layout_text.cpp) -------------------------------------------------------------------------------------

  [[nodiscard]] std::string str(const Mesh& mesh) const;
  /// Reads a layout. Errors: a malformed layout, one of another rank, axes or digits that the mesh lacks or that occur
  /// twice.
  static Result<Layout> parse(std::string_view text, const Mesh& mesh, std::size_t rank);

  friend auto operator<=>(const Layout&, const Layout&) = default;
  friend bool operator==(const Layout&, const Layout&) = default;
};

/// True if each device holds the same part in both layouts, and the same reductions are pending. May return false for
/// equal parts if local factors are involved.
bool same_parts(const Layout& a, const Layout& b, const Mesh& mesh);

/// For each device, the number of its chunk in each dimension.
std::vector<std::vector<std::int64_t>> parts_held(const Layout& layout, const Mesh& mesh);

}  // namespace partir

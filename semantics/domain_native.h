// Native arithmetic as a base class, for domains that differ from it in floats only.
#pragma once

#include "semantics/domain.h"

namespace partir {

class NativeDomain : public Domain {
 public:
  NativeDomain(bool rounds, std::string_view name) : rounds_(rounds), name_(name) {}
  void apply(ScalarFn fn, ElementType in, ElementType type, const Scalar* const* args, std::size_t n,
             Scalar* out) const override;
  [[nodiscard]] Scalar from_index(std::int64_t index, ElementType type) const override;
  [[nodiscard]] Scalar from_literal(const Literal& literal, std::int64_t position) const override;
  [[nodiscard]] Scalar random(std::uint64_t bits, ElementType type) const override;
  [[nodiscard]] double to_double(Scalar value, ElementType type) const override;
  [[nodiscard]] std::complex<double> to_complex(Scalar value, ElementType type) const override;
  [[nodiscard]] bool equal(Scalar a, Scalar b, ElementType type) const override;
  [[nodiscard]] std::string_view name() const override { return name_; }

 protected:
  [[nodiscard]] virtual Scalar convert(Scalar value, ElementType from, ElementType to) const;
  [[nodiscard]] double rounded(double value, ElementType type) const { return rounds_ ? round_to(value, type) : value; }

 private:
  void apply_to_floats(ScalarFn fn, ElementType type, const Scalar* a, const Scalar* b, std::size_t n,
                       Scalar* out) const;
  void apply_to_complex(ScalarFn fn, ElementType in, ElementType type, const Scalar* a, const Scalar* b, std::size_t n,
                        Scalar* out) const;

  bool rounds_;
  std::string_view name_;
};

/// Applies a function to integers of `type`, which wrap at its width.
std::int64_t int_fn(ScalarFn fn, std::int64_t a, std::int64_t b, ElementType type);

/// The bits of a value in its format, in the low bits of the result. Of complex types only c64 is supported; its real
/// part is in the low 32 bits.
std::uint64_t to_bits(Scalar value, ElementType type);
Scalar from_bits(std::uint64_t bits, ElementType type);

}  // namespace partir

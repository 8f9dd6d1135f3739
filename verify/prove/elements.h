// Elements of a symbolic program's values in normal form: the declarations' index notation, followed from a result to
// the arguments.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "verify/prove/expr.h"
#include "verify/prove/lift.h"
#include "verify/prove/prove.h"

namespace partir::prove {

/// The element of argument `number` at indices.
using ArgumentElement = std::function<Expr(std::size_t number, const std::vector<Poly>& at)>;

/// An axis of a mesh: its size, and where the device at hand stands along it.
struct AxisAt {
  Poly size;
  Poly coordinate;
};
using DeviceAt = std::map<std::string, AxisAt>;

/// What an argument's element is on a device.
using DeviceElement = std::function<Expr(std::size_t number, const std::vector<Poly>& at, const DeviceAt& device)>;

/// The element of a value at indices, which are inside its shape. Throws GiveUp.
Expr element(const SymbolicProgram& program, ValueId value, const std::vector<Poly>& at,
             const ArgumentElement& argument, Context& c, const OutOfTime& out_of_time);
/// The same on one device of a mesh, of a program with collectives over its axes.
Expr element(const SymbolicProgram& program, ValueId value, const std::vector<Poly>& at, const DeviceElement& argument,
             const DeviceAt& device, Context& c, const OutOfTime& out_of_time);

}  // namespace partir::prove

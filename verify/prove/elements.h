// Computes the canonical form (expr.h) of an element of a symbolic program's value: starting from a result, it follows
// the declarations' index notation backwards to the arguments. The provers in forms.cpp and rewrite.cpp compare these
// forms.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "verify/prove/expr.h"
#include "verify/prove/lift.h"
#include "verify/prove/prove.h"

namespace partir::prove {

/// True if an operation of the program scatters to the elements that folds select, as select_and_scatter does.
bool has_selections(const SymbolicProgram& program);

/// Returns the element of argument `number` at the given indices.
using ArgumentElement = std::function<Expr(std::size_t number, const std::vector<Poly>& at)>;

/// A mesh axis: its size, and the coordinate of the current device along it.
struct AxisAt {
  Poly size;
  Poly coordinate;
};
using DeviceAt = std::map<std::string, AxisAt>;

/// Returns the element of argument `number` at the given indices on the given device.
using DeviceElement = std::function<Expr(std::size_t number, const std::vector<Poly>& at, const DeviceAt& device)>;

/// Returns the element of a value at indices inside its shape. Throws GiveUp.
Expr element(const SymbolicProgram& program, ValueId value, const std::vector<Poly>& at,
             const ArgumentElement& argument, Context& c, const OutOfTime& out_of_time);
/// Likewise on one device of a mesh, for a program with collectives over the mesh's axes.
Expr element(const SymbolicProgram& program, ValueId value, const std::vector<Poly>& at, const DeviceElement& argument,
             const DeviceAt& device, Context& c, const OutOfTime& out_of_time);

}  // namespace partir::prove

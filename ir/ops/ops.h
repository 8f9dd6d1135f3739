// The list of all declared operations, one file an operation (or a family that differs in one scalar function).
#pragma once

#include <vector>

#include "ir/op_decl.h"

namespace partir::ops {

std::vector<OpDecl> elementwise();
OpDecl compare();
OpDecl select();
OpDecl clamp();
OpDecl convert();
OpDecl constant();
OpDecl iota();
OpDecl broadcast_in_dim();
OpDecl reshape();
OpDecl transpose();
OpDecl reverse();
OpDecl slice();
OpDecl pad();
OpDecl concatenate();
OpDecl dynamic_slice();
OpDecl dynamic_update_slice();
OpDecl reduce();
OpDecl dot_general();
OpDecl convolution();
OpDecl gather();
OpDecl scatter();
std::vector<OpDecl> collectives();
std::vector<OpDecl> core();
std::vector<OpDecl> spmd();
std::vector<OpDecl> host();
std::vector<OpDecl> known_without_meaning();

std::vector<OpDecl> all();

}  // namespace partir::ops

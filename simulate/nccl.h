// Collectives of NVIDIA's library: the model by which NCCL itself chooses between algorithms and protocols
// (github.com/NVIDIA/nccl, src/graph/tuning.cc; latencies in nccl.cpp are that file's).
//
//   time = latency + V / (bus bandwidth x n / steps)         the least over ring and tree, and over three protocols
//   ring   steps 2 (n-1) of an all_reduce, n-1 of an all_gather or reduce_scatter; latency: as many, each an inner one
//          but N-1 (2 (N-1)) that cross nodes
//   tree   of all_reduces: half of the bus bandwidth x 0.92; latency 2 ((p-1) inner + log2 N crossing)
//   NVLS   of all_reduces within a node whose switch reduces
//   LL     half of the bandwidth at most a cap, the smallest latency; LL128 0.92 of it; Simple all of it
//
// n devices on N nodes of p. The bus bandwidth is the inner link's, or, if that is less, what the p adapters of a node
// carry together, because each of p rings crosses nodes by its own adapter. Example: 16 H100 on two nodes gather at
// min(450 x 0.8, 8 x 50 x 0.9) = 360 GB/s, not at one adapter's 45.
#pragma once

#include "simulate/network.h"

namespace partir {

/// Whether all segments are NCCL's; at most one within a node and one between.
bool is_nccl(const std::vector<Segment>& segments);

/// Seconds without the launch of the kernel.
double nccl_seconds(CollectiveKind kind, double bytes, const std::vector<Segment>& segments);

}  // namespace partir

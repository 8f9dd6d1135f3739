// The time of collectives of NVIDIA's NCCL library, by the model with which NCCL itself chooses among algorithms and
// protocols (github.com/NVIDIA/nccl, src/graph/tuning.cc; the latencies in nccl.cpp are from that file). Called by
// simulate/network.cpp for links whose device file states "nccl".
//
//   time = latency + V / (bus bandwidth x n / steps)      the minimum over ring and tree, and over three protocols
//   ring   steps: 2 (n-1) for an all_reduce, n-1 for an all_gather or reduce_scatter; latency: one per step, that of an
//          inner link except for the N-1 (2 (N-1) for an all_reduce) steps that cross nodes
//   tree   for all_reduces: half of the bus bandwidth x 0.92; latency 2 ((p-1) inner + log2 N crossing)
//   NVLS   for all_reduces within a node whose switch reduces
//   LL     the smallest latency, at half of the bandwidth (for trees 1/3.8) up to a limit; LL128: 120/128 of it (for
//          trees within a node 7/9); Simple: all of it
//
// n devices are on N nodes of p devices. The bus bandwidth is that of the inner link or, if lower, the combined
// bandwidth of the p adapters of a node, because each of p rings crosses nodes through its own adapter. Example: 16
// H100 on two nodes gather at min(450 x 0.8, 8 x 50 x 0.9) = 360 GB/s, not at the 45 GB/s of one adapter.
#pragma once

#include "simulate/network.h"

namespace partir {

/// True if all segments are links of NCCL: at most one within a node and one between nodes.
bool is_nccl(const std::vector<Segment>& segments);

/// Seconds of a collective without the launch time of the link; `bytes` as in collective_seconds.
double nccl_seconds(CollectiveKind kind, double bytes, const std::vector<Segment>& segments);

}  // namespace partir

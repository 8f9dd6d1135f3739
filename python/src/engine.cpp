// Defines the Python module openpartir._engine, which calls the library in process. Long calls run without the GIL.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <variant>

#include "driver/parallelism.h"
#include "python/src/comparison.h"
#include "python/src/conversion.h"
#include "python/src/partitioned.h"
#include "simulate/device.h"
#include "support/check.h"
#include "tools/counterexample_json.h"
#include "tools/partition_report.h"
#include "tools/simulation_json.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace partir::python {
namespace {

/// A pattern; its action: a dimension or "first_divisible_dim", "replicated" or "unknown"; and the source line.
using PatternTuple = std::tuple<std::string, std::variant<std::int64_t, std::string>, std::uint32_t>;

std::vector<PatternRequest> patterns_of(const std::vector<PatternTuple>& list, const std::string& tactic,
                                        const std::string& file) {
  std::vector<PatternRequest> out;
  for (const auto& [pattern, action, line] : list) {
    partir::Request request;
    const Place place{line, 0};
    const auto wrong = [&](const std::string& found) {
      raise({"schedule", file, place, fmt::format("{} for '{}' in tactic {}", found, pattern, tactic),
             "a dimension from 0, FIRST_DIVISIBLE_DIM, REPLICATED or UNKNOWN"});
    };
    if (const auto* dim = std::get_if<std::int64_t>(&action)) {
      if (*dim < 0) wrong(fmt::format("dimension {}", *dim));
      request = {partir::Request::Kind::dim, static_cast<Dim>(*dim)};
    } else {
      const auto& word = std::get<std::string>(action);
      if (const auto kind = request_kind(word)) {
        request.kind = *kind;
      } else {
        wrong(fmt::format("'{}'", word));
      }
    }
    out.push_back({pattern, request, place});
  }
  return out;
}

std::vector<PatternTuple> tuples_of(const std::vector<PatternRequest>& list) {
  std::vector<PatternTuple> out;
  for (const PatternRequest& p : list) {
    if (p.request.kind == partir::Request::Kind::dim) {
      out.emplace_back(p.pattern, static_cast<std::int64_t>(p.request.dim), p.place.line);
    } else {
      out.emplace_back(p.pattern, std::string(word_of(p.request.kind)), p.place.line);
    }
  }
  return out;
}

nb::dict counts(const CollectiveCounts& c) {
  nb::dict out;
  for (std::size_t k = 0; k < CollectiveCounts::kinds.size(); ++k) {
    const auto kind = CollectiveCounts::kinds[k];
    out[nb::str(kind.data(), kind.size())] = c.counts[k];
  }
  return out;
}

template <class F>
auto released(const F& work) {
  const nb::gil_scoped_release release;
  return work();
}

void bind_schedule(nb::module_& m) {
  nb::class_<Tactic>(m, "Tactic")
      .def(
          "__init__",
          [](Tactic* self, const std::string& name, const std::string& axis, const std::string& file,
             std::uint32_t line, const std::vector<PatternTuple>& inputs, const std::vector<PatternTuple>& results,
             const std::vector<PatternTuple>& values, bool uneven) {
            new (self) Tactic{name,
                              axis,
                              patterns_of(inputs, name, file),
                              patterns_of(results, name, file),
                              patterns_of(values, name, file),
                              uneven,
                              Place{line, 0},
                              std::nullopt};
          },
          nb::kw_only(), "name"_a, "axis"_a, "file"_a, "line"_a, "inputs"_a, "results"_a, "values"_a,
          "uneven"_a = false)
      .def_ro("name", &Tactic::name)
      .def_ro("axis", &Tactic::axis)
      .def_ro("uneven", &Tactic::uneven)
      .def_prop_ro("inputs", [](const Tactic& t) { return tuples_of(t.inputs); })
      .def_prop_ro("results", [](const Tactic& t) { return tuples_of(t.results); })
      .def_prop_ro("values", [](const Tactic& t) { return tuples_of(t.values); });
  m.def(
      "automatic_tactic",
      [](const std::string& name, std::vector<std::string> axes, const std::string& device,
         const std::optional<std::string>& memory, std::optional<double> seconds,
         std::optional<std::size_t> evaluations, std::uint64_t seed, std::uint32_t line) {
        return Tactic{name,
                      "",
                      {},
                      {},
                      {},
                      false,
                      Place{line, 0},
                      AutomaticSearch{std::move(axes), device, memory, seconds, evaluations, seed}};
      },
      nb::kw_only(), "name"_a, "axes"_a, "device"_a, "memory"_a.none(), "seconds"_a.none(), "evaluations"_a.none(),
      "seed"_a, "line"_a);
  m.def("glob_matches",
        [](const std::string& pattern, const std::string& path) { return glob_matches(pattern, path); });
  m.def("device_names", &device_names);
}

void bind_results(nb::module_& m) {
  nb::class_<Placed>(m, "Placed")
      .def_ro("name", &Placed::name)
      .def_ro("dims", &Placed::dims)
      .def_ro("partial", &Placed::partial)
      .def_ro("sizes", &Placed::sizes);
  nb::class_<ConflictText>(m, "Conflict")
      .def_ro("operation", &ConflictText::operation)
      .def_ro("axis", &ConflictText::axis)
      .def_ro("reason", &ConflictText::reason);
  nb::class_<TacticReport>(m, "TacticReport")
      .def_ro("name", &TacticReport::name)
      .def_prop_ro("collectives", [](const TacticReport& t) { return counts(t.collectives); })
      .def_ro("conflicts", &TacticReport::conflicts)
      .def_prop_ro("simulation", [](const TacticReport& t) -> nb::object {
        return t.simulation ? to_python(simulation_json(*t.simulation)) : nb::none();
      });
}

void bind_partitioned(nb::module_& m) {
  using P = Partitioned;
  nb::class_<P>(m, "Partitioned")
      .def_prop_ro("schedule", [](const P& p) { return p.schedule().tactics; })
      .def_prop_ro("mesh",
                   [](const P& p) {
                     std::vector<std::pair<std::string, std::int64_t>> axes;
                     for (const auto& a : p.partition().mesh.axes()) axes.emplace_back(a.name, a.size);
                     return axes;
                   })
      .def_prop_ro("operations", [](const P& p) { return p.partition().operations; })
      .def_prop_ro("collectives", [](const P& p) { return counts(p.partition().collectives); })
      .def_prop_ro("executed", [](const P& p) { return counts(p.partition().executed.collectives); })
      .def_prop_ro("tactics", [](const P& p) { return p.partition().tactics; })
      .def_prop_ro("verdict", [](const P& p) { return std::string(name_of(p.partition().judgement.verdict)); })
      .def_prop_ro("scope", [](const P& p) { return p.partition().judgement.scope; })
      .def_prop_ro("reason", [](const P& p) { return p.partition().judgement.reason; })
      .def_prop_ro("flops_per_device", [](const P& p) { return p.partition().flops_per_device; })
      .def_prop_ro("flops_sequential", [](const P& p) { return p.partition().flops_sequential; })
      .def_prop_ro("arguments", &P::arguments)
      .def_prop_ro("results", &P::results)
      .def_prop_ro("values", &P::values)
      .def_prop_ro("seconds",
                   [](const P& p) {
                     const StageSeconds& s = p.partition().seconds;
                     nb::dict out;
                     out["parse"] = s.parse;
                     out["propagate"] = s.propagate;
                     out["lower"] = s.lower;
                     out["optimize"] = s.optimize;
                     out["print"] = s.print;
                     out["simulate"] = s.simulate;
                     out["check"] = s.check;
                     return out;
                   })
      .def("table", [](const P& p) { return report_text(p.partition()); })
      .def("lost_parallelism", [](const P& p) { return text_of(lost_parallelism(p.partition())); })
      .def("certificate", [](const P& p) { return released([&] { return to_json(p.partition().certificate); }); })
      .def("for_xla", [](const P& p) { return value_or_raise(released([&] { return p.for_xla(); })); })
      .def("text",
           [](const P& p, const std::string& form) { return value_or_raise(released([&] { return p.text(form); })); })
      .def("explain", [](const P& p,
                         const std::string& what) { return value_or_raise(released([&] { return p.explain(what); })); })
      .def("simulate",
           [](const P& p, const std::string& device) {
             const Simulation s = value_or_raise(released([&] { return p.simulate(device); }));
             return nb::make_tuple(to_python(simulation_json(s)), simulation_text(s));
           })
      .def(
          "page",
          [](const P& p, const std::string& schedule, const std::optional<std::string>& device) {
            return value_or_raise(released([&] { return p.page(device, schedule); }));
          },
          "schedule"_a, "device"_a.none());
  m.def(
      "partition",
      [](const std::string& program, const std::string& name,
         const std::vector<std::pair<std::string, std::int64_t>>& mesh, const std::vector<std::string>& arguments,
         const std::vector<std::string>& results, const std::vector<Tactic>& tactics, const std::string& schedule_file,
         bool check, const std::optional<std::string>& device) {
        Request request{program, name, mesh, arguments, results, tactics, schedule_file, check, device};
        return value_or_raise(released([&] { return P::make(std::move(request)); }));
      },
      nb::kw_only(), "program"_a, "name"_a, "mesh"_a, "arguments"_a, "results"_a, "tactics"_a, "schedule_file"_a,
      "check"_a, "device"_a.none());
}

nb::dict validation_dict(const validate::Validation& v) {
  nb::dict out;
  out["verdict"] = std::string(name_of(v.verdict));
  out["scope"] = v.scope;
  out["reason"] = v.reason;
  nb::list results;
  for (const auto& r : v.results) results.append(nb::make_tuple(r.name, std::string(name_of(r.verdict))));
  out["results"] = results;
  out["at"] =
      v.at ? nb::cast(fmt::format("line {}: {}: {}", v.at->place.line, v.at->operation, v.at->why)) : nb::none();
  out["counterexample"] = nb::none();
  out["inputs"] = v.counterexample ? to_python(inputs_json(*v.counterexample)) : nb::none();
  if (v.counterexample && v.counterexample->note.empty()) {
    const auto& c = *v.counterexample;
    out["counterexample"] = nb::cast(fmt::format(
        "device {} holds {:g} at [{}] of {}, the function gives {:g}", c.device, c.found, fmt::join(c.position, ", "),
        c.result < v.results.size() ? v.results[c.result].name : "a result", c.expected));
  } else if (v.counterexample) {
    out["counterexample"] = v.counterexample->note;
  }
  return out;
}

void bind_comparison(nb::module_& m) {
  nb::class_<Local>(m, "Local")
      .def(
          "__init__",
          [](Local* self, const std::string& text, const std::string& mesh, const std::vector<std::string>& arguments,
             const std::vector<std::string>& results) {
            new (self) Local{text, mesh, arguments, results};
          },
          nb::kw_only(), "text"_a, "mesh"_a, "arguments"_a, "results"_a)
      .def("with_shardings",
           [](const Local& l) { return value_or_raise(released([&] { return with_shardings(l); })); });
  m.def(
      "validate",
      [](const std::string& program, const Local& local, const std::vector<std::string>& result_names, double seconds,
         bool evaluate) {
        return validation_dict(
            value_or_raise(released([&] { return validate_local(program, local, result_names, seconds, evaluate); })));
      },
      nb::kw_only(), "program"_a, "local"_a, "result_names"_a, "seconds"_a, "evaluate"_a = true);
  m.def(
      "compare",
      [](const std::string& program, const Local& local, std::uint64_t seed) {
        const Comparison c = value_or_raise(released([&] { return compare(program, local, seed); }));
        return std::pair(c.largest_difference, c.differs);
      },
      nb::kw_only(), "program"_a, "local"_a, "seed"_a);
  m.def(
      "rules",
      [](const std::string& program, double seconds) {
        const auto table = value_or_raise(released([&] { return judged_rules(program, seconds); }));
        nb::list rows;
        for (const rules::FactorRow& row : table.rows) rows.append(to_python(to_json(row)));
        return rows;
      },
      nb::kw_only(), "program"_a, "seconds"_a);
}

}  // namespace

NB_MODULE(_engine, m) {
  m.doc() = "The OpenPartIR library, in process.";
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const DefectError& error) {
      const nb::object type = nb::module_::import_("openpartir.errors").attr("DefectError");
      PyErr_SetString(type.ptr(), error.what());
    } catch (const UserError& error) {
      try {
        raise(error.diagnostic());
      } catch (nb::python_error& raised) {
        raised.restore();
      }
    }
  });
  bind_schedule(m);
  bind_results(m);
  bind_partitioned(m);
  bind_comparison(m);
}

}  // namespace partir::python

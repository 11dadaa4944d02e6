#pragma once

#include "core/profiling/samples/sample_nodes.h"
#include "core/profiling/samples/stack_names.h"
#include "core/sql/model/samples.h"
#include "core/store/stacks.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace helio::sql {

/// A call site: a frame of a call stack, and through `parent` its callers.
struct CallSite {
    std::optional<std::int64_t> parent; ///< Id of the caller's call site; nullopt for the outermost frame.
    std::uint32_t depth = 0; ///< Number of callers.
    std::uint32_t frame = 0; ///< Number of the frame: an index into RecordedStacks::frames().
};

/// Stack of a sample.
struct SampledStack {
    std::optional<std::int64_t> site; ///< Id of the innermost call site; nullopt if the sample has no stack.
    UnwindEnd end = UnwindEnd::Complete; ///< Reason why the outermost frames are missing.
};

/// A module as a row of the table of mappings.
struct MappedModule {
    StoreIndex store{};
    ModuleId module{};
};

/// The call stacks of all samples, as call sites, frames, modules and names. Ids number them; the same recording always gets the same ids.
///
/// The call sites of a store are the nodes of its stacks, in place. Stacks that are only complete after unwinding, or after their invalid
/// callers were cut off, are made by prepare().
///
/// Threads: to be used by one thread.
/// Memory: 8 bytes for each call site, 32 for each distinct frame.
class RecordedStacks {
public:
    explicit RecordedStacks(std::shared_ptr<const Samples> samples);

    /// Numbers call sites and frames, at the first call. All functions but names() require this. Returns false after a stop request.
    /// Cost: about 50 ns for each node of the stacks; unwinds samples that are not unwound yet, 10 us each.
    bool prepare(const std::stop_token& stop = {}) const;

    std::uint64_t estimatedCallSites() const; ///< Approximate number of call sites; does not require prepare().
    std::uint64_t callSites() const { return m_siteEnd; }
    CallSite callSite(std::uint64_t id) const; ///< Requires: `id` < callSites().
    /// Returns the ids of the call sites that a call site called, ascending.
    /// Cost: the first call visits all call sites. Memory: 8 bytes for each of them.
    std::vector<std::uint64_t> calledFrom(std::int64_t id) const;
    SampledStack stackOf(const SampleRow& sample) const;

    /// Returns one node for each distinct frame; element 0 is no frame.
    const std::vector<CollectedNode>& frames() const { return m_frames->nodes; }
    static std::int64_t frameId(std::uint32_t frame) { return std::int64_t{frame} - 1; } ///< Returns the id of an element of frames().
    /// Returns the id of a frame's mapping: an index into mappings().
    std::int64_t mappingOf(const CollectedNode& frame) const;
    const std::vector<MappedModule>& mappings() const { return m_mappings; }
    const Module* moduleOf(StoreIndex store, ModuleId module) const;

    /// Returns the names of frames(); nullptr after a stop request.
    /// Cost: the first call reads the symbols of all modules, and names each frame in a few us.
    const StackNames* names(const std::stop_token& stop = {}) const;
    // Functions that require the names. A frame has a set of symbols if its function has a name: the innermost inlined function first. Ids
    // of symbols are indices into StackNames::frames, and the id of a set is that of its first symbol.
    const SampledFunction* functionOf(std::uint32_t frame) const; ///< Returns the function that was compiled; nullptr if there is none.
    std::optional<std::int64_t> symbolSetOf(std::uint32_t frame) const;
    std::optional<std::uint32_t> frameOfSymbol(std::uint64_t symbol) const;
    /// Returns the name of a function for tables; empty if it has none.
    static std::string_view nameOf(const SampledFunction& function);
    /// Returns the position in the source code of a name of a frame: `name` is an index into StackNames::framesOf(frame).
    /// Cost: reads the module's lines at first use.
    SourceLine sourceOf(std::uint32_t frame, std::size_t name) const;

private:
    /// Stacks of one store.
    struct Source {
        StoreIndex store{};
        std::uint64_t first = 0; ///< Id of the first call site; the nodes 1, 2, … of the store or of `made` follow each other.
        std::shared_ptr<StackProfile> made{}; ///< Nodes of the stacks if they are not those of the store; else nullptr.
        std::shared_ptr<SampleNodes> making{}; ///< Finds the nodes of samples in `made`.
        struct Site {
            std::uint32_t frame = 0;
            std::uint32_t depth = 0;
        };
        std::vector<Site> sites{}; ///< Frames and depths, indexed by node.
    };

    Source makeSource(StoreIndex store, const std::stop_token& stop) const;
    void numberSites(Source& source, ProfileNodes& frames) const;
    void addMappings(StoreIndex store) const;
    bool needsMaking(StoreIndex store) const;
    const Source* sourceOf(StoreIndex store) const;
    std::uint32_t parentIn(const Source& source, std::uint32_t node) const;
    const Timeline& timeline() const { return m_samples->things().timeline(); }

    std::shared_ptr<const Samples> m_samples;
    mutable std::vector<Source> m_sources;
    mutable std::uint64_t m_siteEnd = 0;
    /// For each call site, its first callee and the next callee of its caller; NoSite if there is none. Empty before calledFrom().
    struct Callees {
        std::uint32_t first = NoSite;
        std::uint32_t next = NoSite;
    };
    static constexpr std::uint32_t NoSite = ~0u;
    mutable std::vector<Callees> m_callees;
    mutable std::shared_ptr<StackProfile> m_frames; ///< Profile whose nodes are the distinct frames; nullptr before prepare().
    mutable std::vector<MappedModule> m_mappings;
    mutable std::vector<std::int64_t> m_firstMapping; ///< Id of the first mapping of each store, -1 for stores without; indexed by store.
    mutable std::optional<StackNames> m_names;
};

} // namespace helio::sql

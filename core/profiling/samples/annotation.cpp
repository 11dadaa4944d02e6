#include "core/profiling/samples/annotation.h"

#include "core/query/rows/timeline_access.h"
#include "core/trace/process/recorded_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace helio {
namespace {

/// True if two modules, perhaps of different traces, contain the same code.
bool isSame(const Module& a, const Module& b)
{
    const bool isProcessOwn = a.kind == Module::Kind::Anonymous;
    return a.kind == b.kind && a.path == b.path && a.buildId == b.buildId && (!isProcessOwn || a.pid == b.pid);
}

/// Returns the instructions of a function that the recording names without an address. Looks up the name in the symbols of the module's
/// file; if there is no such function or no file, the result contains the reason instead.
FunctionCode codeNamed(Symbolizer& symbolizer, const Module& module, const std::string& name)
{
    if (const auto found = symbolizer.find(module, name); found && !found->frames.empty())
        return symbolizer.codeOf(module, found->begin);
    FunctionCode code;
    code.noCodeReason = code.noLinesReason = symbolizer.symbolsOf(module).explanation;
    if (code.noCodeReason.empty())
        code.noCodeReason = code.noLinesReason = "the file of " + module.path + " has no function with that name";
    return code;
}

bool isOf(const SymbolFrame& frame, const SampledFunction& function)
{
    return frame.function == function.name && frame.linkageName == function.linkageName && frame.unit == function.unit;
}

/// Returns an address within the executed instruction. A return address is moved back by one byte, because it is the address of the
/// instruction after the call.
std::uint64_t executed(const StackFrame& frame) { return frame.address - (frame.isReturnAddress && frame.address > 0 ? 1 : 0); }

/// Sums up samples over the code of one function.
class Annotator {
public:
    Annotator(const StackProfile& profile, const StackNames& names, const Timeline& timeline, Annotation& annotation)
        : m_profile(profile)
        , m_names(names)
        , m_timeline(timeline)
        , m_annotation(annotation)
        , m_target(findFunction(names.functions, annotation.function))
    {
        if (m_target)
            annotation.function = names.functions[static_cast<std::size_t>(*m_target)];
        if (const Module* module = moduleAt(timeline, annotation.function.store, annotation.function.moduleId)) {
            m_isModuleKnown = true;
            m_module = *module;
            m_module.names.reset();
            m_areNamesRecorded = module->names != nullptr;
            findModules(*module);
        }
        findNodes();
    }

    /// Reads the function's instructions and lines into the annotation.
    void readCode(const std::stop_token& stop)
    {
        Symbolizer* symbolizer = m_timeline.symbolizer.get();
        const SampledFunction& function = m_annotation.function;
        FunctionCode& code = m_annotation.code;
        if (!m_isModuleKnown || !symbolizer)
            code.noCodeReason = code.noLinesReason = m_isModuleKnown ? "there are no symbols" : "its module is unknown";
        else if (m_areNamesRecorded)
            code = codeNamed(*symbolizer, m_module, function.name);
        else if (!function.isInlined)
            code = symbolizer->codeOf(m_module, function.address);
        useRecordedLines();
        m_begin = code.symbol.begin;
        if (!function.isInlined && !code.symbol.frames.empty())
            m_ownFile = code.symbol.frames.back().source.file;
        if (m_isModuleKnown && symbolizer && !m_areNamesRecorded)
            addCopies(*symbolizer, stop);
        for (const Instruction& it : code.instructions)
            m_annotation.addresses.push_back({it.address, {}, false});
        if (m_isModuleKnown && symbolizer && !m_areNamesRecorded && !code.lines.empty())
            readSources(*symbolizer, stop);
        placeNodes();
        placeLines();
        if (m_isModuleKnown && symbolizer && !code.lines.empty())
            findInlined(*symbolizer, stop);
    }

    void addUp(const std::stop_token& stop)
    {
        m_addressSeen.resize(m_annotation.addresses.size(), 0);
        m_lineSeen.resize(m_annotation.lines.size(), 0);
        std::uint32_t number = 0;
        for (const CollectedStack& stack : m_profile.stacks) {
            if (++number % 4096 == 0 && stop.stop_requested())
                return;
            add(stack, number);
        }
    }

private:
    static constexpr std::uint32_t Elsewhere = ~0u;

    /// Position of a profile's node in the annotated function: the instruction and the source lines of the node.
    struct NodePlace {
        std::uint32_t taken = Elsewhere; ///< Index into Annotation::addresses of the executed instruction.
        std::uint32_t call = Elsewhere; ///< Index into Annotation::addresses of the call instruction, if the node is a caller.
        /// Source lines of the inlined calls that lead from the annotated function to the node's innermost inlined function. The line of
        /// the innermost call is first, a line of the annotated function last. The innermost function's own line is not included.
        std::vector<SourceLine> sources;
        std::vector<std::uint32_t> lines; ///< Indices into Annotation::lines, one for each element of `sources`.
        SourceLine recorded; ///< Source line of the node that the recording names; its `line` is 0 if the recording names none.
        std::uint32_t recordedLine = Annotation::NoLine; ///< Index into Annotation::lines of the line `recorded`; NoLine if there is none.
        bool isInside = false; ///< True if the annotated function is one of the node's frames.
        bool isCopy = false; ///< True if the annotated function was inlined at the node's address.
        bool isInlined = false; ///< True if the recording states that the whole node was inlined into its caller.
        bool isKernel = false;
        bool isWhere = true; ///< False if only the function was recorded, but not which of its instructions was executed.
    };

    void findModules(const Module& own)
    {
        std::set<StoreIndex> stores;
        for (std::size_t node = 1; node < m_profile.nodes.size(); ++node)
            stores.insert(m_profile.nodes[node].store);
        for (const StoreIndex store : stores) {
            const auto modules = modulesOf(m_timeline, store);
            for (std::uint32_t id = 0; id < modules.size(); ++id)
                if (isSame(own, modules[id]))
                    m_modules.emplace(std::pair(store, ModuleId{id}), &modules[id]);
        }
    }

    void findNodes()
    {
        m_places.assign(m_profile.nodes.size(), {});
        for (std::uint32_t node = 1; m_target && node < m_profile.nodes.size(); ++node) {
            const CollectedNode& it = m_profile.nodes[node];
            NodePlace& place = m_places[node];
            if (const Module* module = moduleAt(m_timeline, it.store, it.frame.module)) {
                place.isInlined = module->names && module->names->at(it.frame.address).isInlined;
                place.isKernel = module->isKernel();
            }
            for (const NamedFrame& frame : m_names.framesOf(node))
                if (frame.function == *m_target) {
                    place.isInside = true;
                    place.isCopy = frame.isInlined;
                }
        }
    }

    /// Sets NodePlace::recorded for nodes in the annotated function, from the source lines that the recording itself names. If there are
    /// any, removes the machine code from the annotation, because the recorded source lines belong to no addresses.
    void useRecordedLines()
    {
        bool hasLines = false;
        for (std::uint32_t node = 1; node < m_places.size(); ++node) {
            const CollectedNode& it = m_profile.nodes[node];
            const Module* module = m_places[node].isInside ? moduleAt(m_timeline, it.store, it.frame.module) : nullptr;
            if (!module || !module->names)
                continue;
            const std::uint64_t call = it.frame.isReturnAddress && it.frame.address > 0 ? 1 : 0;
            const RecordedName name = module->names->at(it.frame.address - call);
            if (name.file.empty() || name.line == 0)
                continue;
            m_places[node].recorded = {std::string(name.file), name.line};
            hasLines = true;
        }
        if (!hasLines)
            return;
        m_annotation.code = {};
        m_annotation.code.noCodeReason = "The recording names source lines, but no addresses.";
    }

    /// Returns the address of a node in the annotated module; nullopt if the node is in another module or its address was not recorded.
    std::optional<std::uint64_t> addressOf(const CollectedNode& node) const
    {
        const auto module = m_modules.find({node.store, node.frame.module});
        if (module == m_modules.end())
            return {};
        if (!module->second->names)
            return executed(node.frame);
        const RecordedName name = module->second->names->at(node.frame.address);
        if (!name.offset || name.isInlined)
            return {};
        return m_begin + *name.offset;
    }

    /// Appends the copies of the function's code that were inlined into other functions and have samples.
    void addCopies(Symbolizer& symbolizer, const std::stop_token& stop)
    {
        FunctionCode& code = m_annotation.code;
        std::set<std::uint64_t> begins;
        for (std::uint32_t node = 1; node < m_places.size(); ++node)
            if (const auto address = m_places[node].isCopy ? addressOf(m_profile.nodes[node]) : std::nullopt)
                if (const Symbol symbol = symbolizer.resolve(m_module, *address); symbol.size > 0)
                    begins.insert(symbol.begin);
        if (!code.instructions.empty())
            begins.erase(code.symbol.begin);
        else if (m_annotation.function.isInlined && begins.empty())
            code.noCodeReason = code.noLinesReason = "it has no code of its own, and no selected sample is in an inlined copy of it";
        for (const std::uint64_t begin : begins) {
            FunctionCode outer = symbolizer.codeOf(m_module, begin);
            if (m_annotation.function.isInlined && code.instructions.empty())
                adoptPlace(code, outer);
            addCopy(symbolizer, std::move(outer), stop);
        }
        sortCopies();
    }

    /// Gives a function without code of its own the position of `outer`, the function that contains its first inlined copy.
    static void adoptPlace(FunctionCode& code, const FunctionCode& outer)
    {
        code.symbol = outer.symbol;
        if (code.symbol.frames.size() > 1)
            code.symbol.frames.erase(code.symbol.frames.begin(), code.symbol.frames.end() - 1);
        code.fileAddress = outer.fileAddress;
        code.noCodeReason = outer.noCodeReason;
        code.noLinesReason = outer.noLinesReason;
    }

    void addCopy(Symbolizer& symbolizer, FunctionCode outer, const std::stop_token& stop)
    {
        FunctionCode& code = m_annotation.code;
        const auto first = static_cast<std::uint32_t>(code.instructions.size());
        for (Instruction& it : outer.instructions) {
            if (stop.stop_requested())
                return;
            const Symbol symbol = symbolizer.resolve(m_module, it.address);
            const auto isOwn = [&](const SymbolFrame& frame) { return isOf(frame, m_annotation.function); };
            const auto own = std::ranges::find_if(symbol.frames, isOwn);
            if (own == symbol.frames.end())
                continue;
            if (m_ownFile.empty())
                m_ownFile = own->declaration.file;
            code.lines.push_back({it.address, it.address + std::max<std::uint64_t>(it.size, 1), symbol.frames.front().source});
            code.instructions.push_back(std::move(it));
        }
        if (code.instructions.size() > first)
            m_annotation.copies.push_back({first, outer.symbol.frames.empty() ? std::string() : outer.symbol.frames.back().function});
    }

    /// Sorts the instructions by address, and computes InlinedCopy::first anew. The instructions of each element of `copies` are
    /// adjacent after sorting, because all of them lie in one containing function, and functions do not overlap.
    void sortCopies()
    {
        FunctionCode& code = m_annotation.code;
        std::vector<InlinedCopy>& copies = m_annotation.copies;
        // Names of the functions that contain the inlined copies, keyed by the address of the copy's first instruction.
        std::map<std::uint64_t, std::string> into;
        if (!copies.empty() && copies.front().first > 0)
            into.emplace(code.instructions.front().address, std::string()); // The function's own code has no containing function.
        for (const InlinedCopy& copy : copies)
            into.emplace(code.instructions[copy.first].address, copy.into);
        std::ranges::sort(code.instructions, {}, &Instruction::address);
        std::ranges::sort(code.lines, {}, &LineRange::begin);
        copies.clear();
        // The first range of code needs no heading if it is the function's own code.
        if (!into.empty() && into.begin()->second.empty())
            into.erase(into.begin());
        for (const auto& [address, name] : into) {
            const auto first = std::ranges::lower_bound(code.instructions, address, {}, &Instruction::address);
            copies.push_back({static_cast<std::uint32_t>(first - code.instructions.begin()), name});
        }
    }

    /// Reads, for each node in which the function occurs, the source lines of the calls that lead from the function to the inlined code at
    /// the node's address.
    void readSources(Symbolizer& symbolizer, const std::stop_token& stop)
    {
        std::map<std::uint64_t, std::vector<SourceLine>> known;
        for (std::uint32_t node = 1; node < m_places.size() && !stop.stop_requested(); ++node) {
            const auto address = m_places[node].isInside ? addressOf(m_profile.nodes[node]) : std::nullopt;
            if (!address)
                continue;
            const auto [place, isNew] = known.try_emplace(*address);
            if (isNew)
                place->second = sourcesAt(symbolizer.resolve(m_module, *address));
            m_places[node].sources = place->second;
        }
    }

    std::vector<SourceLine> sourcesAt(const Symbol& symbol)
    {
        std::vector<SourceLine> sources;
        const auto own = std::ranges::find_if(symbol.frames, [&](const SymbolFrame& frame) { return isOf(frame, m_annotation.function); });
        for (auto frame = symbol.frames.begin(); own != symbol.frames.end() && frame != own; ++frame)
            sources.push_back((frame + 1)->source);
        std::erase_if(sources, [](const SourceLine& it) { return it.file.empty() || it.line == 0; });
        return sources;
    }

    void placeNodes()
    {
        std::vector<AnnotatedAddress>& addresses = m_annotation.addresses;
        const bool hasCode = !addresses.empty();
        if (!hasCode) {
            std::set<std::uint64_t> sampled;
            for (std::uint32_t node = 1; node < m_places.size(); ++node)
                if (const auto address = m_places[node].isInside ? addressOf(m_profile.nodes[node]) : std::nullopt)
                    sampled.insert(*address);
            for (const std::uint64_t address : sampled)
                addresses.push_back({address, {}, false});
        }
        bool isAnyInside = false;
        m_annotation.hasAddresses = false;
        for (std::uint32_t node = 1; node < m_places.size(); ++node) {
            NodePlace& place = m_places[node];
            const CollectedNode& it = m_profile.nodes[node];
            const auto address = place.isInside ? addressOf(it) : std::nullopt;
            if (!address)
                continue;
            isAnyInside = true;
            // A call is recorded with the address of its function's first instruction, although its time is spent anywhere in the
            // function. Only the address of its callers' call instructions is meaningful.
            place.isWhere = !areCalls(m_profile.kind) || it.frame.isReturnAddress;
            m_annotation.hasAddresses |= place.isWhere;
            place.taken = place.call = placeOf(*address);
            // Recorded names ("main+0x1f") do not tell whether an offset is a return address; this depends on the node's position in
            // a stack. Prepare for both: if the node is a caller, the instruction before the offset is the call.
            if (hasCode && m_areNamesRecorded && *address > m_begin)
                place.call = placeOf(*address - 1);
        }
        m_annotation.hasAddresses |= !isAnyInside;
    }

    std::uint32_t placeOf(std::uint64_t address) const
    {
        const auto after = std::ranges::upper_bound(m_annotation.addresses, address, {}, &AnnotatedAddress::address);
        if (after == m_annotation.addresses.begin())
            return Elsewhere;
        const auto index = static_cast<std::uint32_t>(after - m_annotation.addresses.begin() - 1);
        const auto& instructions = m_annotation.code.instructions;
        const std::uint64_t size = index < instructions.size() ? std::max<std::uint64_t>(instructions[index].size, 1) : 1;
        return address < m_annotation.addresses[index].address + size ? index : Elsewhere;
    }

    void placeLines()
    {
        const std::vector<LineRange>& ranges = m_annotation.code.lines;
        std::map<std::string, std::uint32_t> files;
        const auto fileOf = [&](const std::string& file) {
            const auto [place, isNew] = files.emplace(file, static_cast<std::uint32_t>(m_annotation.files.size()));
            if (isNew)
                m_annotation.files.push_back(file);
            return place->second;
        };
        if (!m_ownFile.empty())
            fileOf(m_ownFile);
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> lines;
        for (const LineRange& range : ranges)
            if (range.source.line > 0 && !range.source.file.empty())
                lines.emplace(std::pair(fileOf(range.source.file), range.source.line), 0);
        for (const NodePlace& place : m_places) {
            for (const SourceLine& source : place.sources)
                lines.emplace(std::pair(fileOf(source.file), source.line), 0);
            if (place.recorded.line > 0)
                lines.emplace(std::pair(fileOf(place.recorded.file), place.recorded.line), 0);
        }
        for (auto& [place, index] : lines) {
            index = static_cast<std::uint32_t>(m_annotation.lines.size());
            m_annotation.lines.push_back({place.first, place.second, {}, true});
        }
        for (const AnnotatedAddress& it : m_annotation.addresses) {
            const auto after = std::ranges::upper_bound(ranges, it.address, {}, &LineRange::begin);
            const bool isKnown = after != ranges.begin() && it.address < (after - 1)->end && (after - 1)->source.line > 0
                && !(after - 1)->source.file.empty();
            m_annotation.lineOf.push_back(isKnown ? lines.at({fileOf((after - 1)->source.file), (after - 1)->source.line})
                                                  : Annotation::NoLine);
        }
        for (NodePlace& place : m_places) {
            for (const SourceLine& source : place.sources)
                place.lines.push_back(lines.at({fileOf(source.file), source.line}));
            if (place.recorded.line > 0) {
                place.recordedLine = lines.at({fileOf(place.recorded.file), place.recorded.line});
                m_annotation.lines[place.recordedLine].isInlined &= place.isInlined;
            }
        }
    }

    /// Sets AnnotatedAddress::isInlined and AnnotatedLine::isInlined where the code belongs to other functions.
    /// Cost: some microseconds for each instruction.
    void findInlined(Symbolizer& symbolizer, const std::stop_token& stop)
    {
        for (std::size_t i = 0; i < m_annotation.addresses.size() && !stop.stop_requested(); ++i) {
            AnnotatedAddress& it = m_annotation.addresses[i];
            const auto frames = symbolizer.resolve(m_module, it.address).frames;
            it.isInlined = frames.size() > 1 && !isOf(frames.front(), m_annotation.function);
            if (!it.isInlined && m_annotation.lineOf[i] != Annotation::NoLine)
                m_annotation.lines[m_annotation.lineOf[i]].isInlined = false;
        }
    }

    void add(const CollectedStack& stack, std::uint32_t number)
    {
        const SampleSum sum = sumOf(stack);
        m_annotation.whole += sum;
        bool isInside = false;
        bool isTakenInside = false;
        bool isInnermost = true;
        // True until the loop reaches the first node that was not inlined into its caller. Functions inlined into this node share its
        // address.
        bool isFirst = true;
        bool isBelowKernel = false;
        for (std::uint32_t node = stack.node; node != 0; node = m_profile.nodes[node].parent) {
            const NodePlace& at = m_places[node];
            const auto frames = m_names.framesOf(node);
            if (isInnermost && !frames.empty() && m_target == frames.front().function)
                m_annotation.sums.self += sum;
            isInnermost = isInnermost && frames.empty();
            isInside = isInside || at.isInside;
            isTakenInside = isTakenInside || (at.isInside && isFirst);
            if (at.recordedLine != Annotation::NoLine) {
                if (node == stack.node)
                    m_annotation.lines[at.recordedLine].sums.self += sum;
                addToLine(at.recordedLine, number, sum);
            }
            if (at.isInlined)
                continue;
            const bool isTaken = isFirst || (isBelowKernel && !at.isKernel);
            const bool isSelf = std::exchange(isFirst, false);
            isBelowKernel = at.isKernel;
            const std::uint32_t place = isTaken ? at.taken : at.call;
            if (place == Elsewhere || !at.isWhere)
                continue;
            const std::uint32_t line = m_annotation.lineOf[place];
            if (isSelf) {
                m_annotation.addresses[place].sums.self += sum;
                if (line != Annotation::NoLine)
                    m_annotation.lines[line].sums.self += sum;
            }
            if (std::exchange(m_addressSeen[place], number) != number)
                m_annotation.addresses[place].sums.total += sum;
            if (line != Annotation::NoLine)
                addToLine(line, number, sum);
            for (const std::uint32_t outer : at.lines)
                addToLine(outer, number, sum);
        }
        if (isInside)
            m_annotation.sums.total += sum;
        if (isTakenInside)
            m_annotation.taken += sum;
    }

    void addToLine(std::uint32_t line, std::uint32_t number, const SampleSum& sum)
    {
        if (std::exchange(m_lineSeen[line], number) != number)
            m_annotation.lines[line].sums.total += sum;
    }

    const StackProfile& m_profile;
    const StackNames& m_names;
    const Timeline& m_timeline;
    Annotation& m_annotation;
    std::optional<FunctionId> m_target; ///< The annotated function; nullopt if `names` does not contain it.
    bool m_isModuleKnown = false;
    Module m_module; ///< Module of the function. Its recorded names are removed, so that the symbolizer reads the module's file instead.
    std::string m_ownFile; ///< Source file of the function; empty if unknown.
    bool m_areNamesRecorded = false; ///< True if the recording itself contains the names of the functions in the module.
    /// Address of the function's first byte, to which the offsets of recorded names ("main+0x1f") are added; 0 if the code is unknown.
    std::uint64_t m_begin = 0;
    /// Modules of all stores that have the same code as m_module, keyed by store and ModuleId.
    std::map<std::pair<StoreIndex, ModuleId>, const Module*> m_modules;
    std::vector<NodePlace> m_places; ///< Position of the function in each node, indexed by node.
    /// For each element of Annotation::addresses: number of the last stack that was added to its total. If a recursive function has the
    /// address several times in a stack, the stack is still added once.
    std::vector<std::uint32_t> m_addressSeen;
    std::vector<std::uint32_t> m_lineSeen;
};

} // namespace

Annotation annotate(const StackProfile& profile, const StackNames& names, const Timeline& timeline, const SampledFunction& function,
                    std::stop_token stop)
{
    Annotation annotation;
    annotation.function = function;
    Annotator annotator(profile, names, timeline, annotation);
    annotator.readCode(stop);
    annotator.addUp(stop);
    return annotation;
}

} // namespace helio

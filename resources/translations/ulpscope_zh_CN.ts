<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>MappingDialogs</name>
    <message>
        <source>Mappings (*.yaml *.yml)</source>
        <translation>映射 (*.yaml *.yml)</translation>
    </message>
    <message>
        <source>Load a mapping of names</source>
        <translation>加载名称映射</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Save the mapping of names</source>
        <translation>保存名称映射</translation>
    </message>
</context>
<context>
    <name>ulp::Findings</name>
    <message>
        <source>Channel %1 holds all the worst elements of %2 tensors; the error peaks at %3 with %4 times its RMS (%5)</source>
        <translation>%2 个张量中误差最大的元素都位于通道 %1；误差在 %3 处最大，为其均方根的 %4 倍（%5）</translation>
    </message>
    <message>
        <source>One element makes %1 of the squared error at %2; tensors of this kind: %3 (%4)</source>
        <translation>在 %2 处，单个元素占平方误差的 %1；此类张量共 %3 个（%4）</translation>
    </message>
    <message>
        <source>All elements of largest difference that the report lists have the same position in the last dimension, and the largest difference is at least %1 times the RMS of the difference. Mean errors then say little of the other channels.</source>
        <translation>报告列出的差异最大的元素在最后一维上位置相同，且最大差异至少为差异均方根的 %1 倍。此时平均误差难以反映其他通道的情况。</translation>
    </message>
    <message>
        <source>channel</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>largest difference over RMS</source>
        <translation>最大差异与均方根之比</translation>
    </message>
    <message>
        <source>The square of the largest difference is at least %1 of the sum of all squared differences of the tensor: RMS errors describe one element.</source>
        <translation>最大差异的平方至少占该张量全部差异平方和的 %1：均方根误差描述的只是一个元素。</translation>
    </message>
    <message>
        <source>share of the squared error</source>
        <translation>占平方误差的比例</translation>
    </message>
    <message>
        <source>tensors</source>
        <translation>张量数</translation>
    </message>
    <message>
        <source>Concentrated error</source>
        <translation>误差集中</translation>
    </message>
    <message>
        <source>Share of the squared error in one element</source>
        <translation>单个元素占平方误差的比例</translation>
    </message>
    <message>
        <source>One element that makes this part of the sum of squared differences is reported</source>
        <translation>单个元素在差异平方和中达到此比例时报告</translation>
    </message>
    <message>
        <source>Tensors that share a channel</source>
        <translation>共享同一通道的张量数</translation>
    </message>
    <message>
        <source>A channel is reported once it holds the worst elements of this many tensors of a pass</source>
        <translation>某个通道在一次传播中包含这么多张量的最差元素时报告</translation>
    </message>
    <message>
        <source>Largest difference over RMS, for channels</source>
        <translation>最大差异与均方根之比（按通道）</translation>
    </message>
    <message>
        <source>From here on the worst elements are looked at for a channel that they share</source>
        <translation>达到此值后检查最差元素是否位于同一通道</translation>
    </message>
    <message>
        <source>The error of %1 grows %2-fold at %3: from %4 to %5</source>
        <translation>%1 的误差在 %3 处增大到 %2 倍：由 %4 变为 %5</translation>
    </message>
    <message>
        <source>The relative error of a layer is at least %1 times that of the layer before in the same pass (%2), and above %3 unit round-offs (%4).</source>
        <translation>某层的相对误差至少为同一传播中前一层的 %1 倍（%2），且高于 %3 个单位舍入误差（%4）。</translation>
    </message>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>here</source>
        <translation>此处</translation>
    </message>
    <message>
        <source>factor</source>
        <translation>倍数</translation>
    </message>
    <message>
        <source>Jump of the error</source>
        <translation>误差跳变</translation>
    </message>
    <message>
        <source>Growth from one layer to the next</source>
        <translation>相邻两层之间的增长</translation>
    </message>
    <message>
        <source>A layer&apos;s error over that of the layer before it</source>
        <translation>某层误差与前一层误差之比</translation>
    </message>
    <message>
        <source>Unit round-offs below which errors are not reported</source>
        <translation>低于多少个单位舍入误差时不报告</translation>
    </message>
    <message>
        <source>Errors of a few roundings grow and shrink without meaning</source>
        <translation>只有几次舍入的误差，其增减没有意义</translation>
    </message>
    <message>
        <source>First divergence at %2: %3 where %4 came in (%1)</source>
        <translation>首次偏离位于 %2：输入误差为 %4，此处为 %3（%1）</translation>
    </message>
    <message>
        <source>error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>carried in</source>
        <translation>传入误差</translation>
    </message>
    <message>
        <source>expected</source>
        <translation>预期</translation>
    </message>
    <message>
        <source>excess</source>
        <translation>超出倍数</translation>
    </message>
    <message>
        <source>First divergence</source>
        <translation>首次偏离</translation>
    </message>
    <message>
        <source>Excess over carried error and round-off</source>
        <translation>超出传入误差与舍入误差的倍数</translation>
    </message>
    <message>
        <source>How many times the error of a tensor may exceed what its inputs and the format account for</source>
        <translation>张量误差允许超出其输入与数据格式所能解释部分的倍数</translation>
    </message>
    <message>
        <source>Not finite from %2: %3 of %4 elements (%1)</source>
        <translation>从 %2 起出现非有限值：%4 个元素中有 %3 个（%1）</translation>
    </message>
    <message>
        <source>The first tensor in order of execution with NaN or infinite elements that the reference does not have: %1 NaN, %2 +Inf, %3 −Inf; the reference has %4. %5 tensors of the variant are affected in all.</source>
        <translation>按执行顺序，第一个含有参考所没有的 NaN 或无穷元素的张量：NaN %1 个，+Inf %2 个，−Inf %3 个；参考中有 %4 个。该变体共有 %5 个张量受影响。</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>+Inf</source>
        <translation>+Inf</translation>
    </message>
    <message>
        <source>−Inf</source>
        <translation>−Inf</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>元素数</translation>
    </message>
    <message>
        <source>tensors affected</source>
        <translation>受影响的张量数</translation>
    </message>
    <message>
        <source>First non-finite tensor</source>
        <translation>首个非有限张量</translation>
    </message>
    <message>
        <source>Close to overflow at %2: at least %3 of the %4 that %5 can hold (%1)</source>
        <translation>%2 处接近溢出：至少达到 %5 可表示的 %4 的 %3（%1）</translation>
    </message>
    <message>
        <source>%5 would overflow at %2: values of at least %3, the format ends at %4 (%1)</source>
        <translation>%5 会在 %2 处溢出：数值至少为 %3，而该格式上限为 %4（%1）</translation>
    </message>
    <message>
        <source>The largest value that the report knows of any tensor reaches %1 of the format&apos;s limit (threshold: %2 in the tensor&apos;s own format). It is a lower bound: a report holds the values of the elements of largest difference and the RMS of the reference, not the maximum of a tensor.</source>
        <translation>报告已知的最大数值达到该格式上限的 %1（阈值：张量自身格式的 %2）。这只是下界：报告保存的是差异最大元素的数值与参考的均方根，而不是张量的最大值。</translation>
    </message>
    <message>
        <source>largest value known</source>
        <translation>已知最大值</translation>
    </message>
    <message>
        <source>limit of the format</source>
        <translation>格式上限</translation>
    </message>
    <message>
        <source>share of the limit</source>
        <translation>占上限的比例</translation>
    </message>
    <message>
        <source>Headroom</source>
        <translation>数值余量</translation>
    </message>
    <message>
        <source>Share of the format&apos;s largest number</source>
        <translation>占格式最大数的比例</translation>
    </message>
    <message>
        <source>Values known to reach this share of what their format can hold are reported</source>
        <translation>已知数值达到其格式可表示范围的此比例时报告</translation>
    </message>
    <message>
        <source>The loss and every metric of every tensor are equal bit for bit. What the configurations differ in had no effect on this model and input, or the setting did not reach the computation: see the configurations side by side.</source>
        <translation>损失以及所有张量的所有指标逐位相等。配置之间的差异对该模型与输入没有影响，或者设置没有作用到计算：请对照查看配置。</translation>
    </message>
    <message>
        <source>%1 is identical to the reference</source>
        <translation>%1 与参考完全相同</translation>
    </message>
    <message>
        <source>%2 is identical to %1</source>
        <translation>%2 与 %1 完全相同</translation>
    </message>
    <message>
        <source>%2 are identical to %1</source>
        <translation>%2 与 %1 完全相同</translation>
    </message>
    <message>
        <source>Identical variants</source>
        <translation>相同的变体</translation>
    </message>
    <message>
        <source>The LM head makes most of the error of the logits of %1: %2 after %3 at the final norm</source>
        <translation>%1 的 logits 误差主要来自 LM head：最终归一化处为 %3，之后为 %2</translation>
    </message>
    <message>
        <source>The relative error of the logits is at least %1 times that of the final norm&apos;s output, which the head multiplies.</source>
        <translation>logits 的相对误差至少为最终归一化输出（即 LM head 的输入）的 %1 倍。</translation>
    </message>
    <message>
        <source>final norm</source>
        <translation>最终归一化</translation>
    </message>
    <message>
        <source>logits</source>
        <translation>logits</translation>
    </message>
    <message>
        <source>LM head dominates</source>
        <translation>LM head 占主导</translation>
    </message>
    <message>
        <source>Error of the logits over that of the final norm</source>
        <translation>logits 误差与最终归一化误差之比</translation>
    </message>
    <message>
        <source>From here on the head is named as the origin</source>
        <translation>达到此值后将 LM head 视为来源</translation>
    </message>
    <message>
        <source>The loss of %1 differs by %2: %3 against %4</source>
        <translation>%1 的损失相差 %2：%3，参考为 %4</translation>
    </message>
    <message>
        <source>The loss of %1 is %2; the reference has %3</source>
        <translation>%1 的损失为 %2；参考为 %3</translation>
    </message>
    <message>
        <source>The loss differs from the reference&apos;s by at least %1 of it; from %2 on it counts as broken.</source>
        <translation>损失与参考的差异至少为参考的 %1；达到 %2 即视为异常。</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>loss of the reference</source>
        <translation>参考的损失</translation>
    </message>
    <message>
        <source>change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Change of the loss</source>
        <translation>损失变化</translation>
    </message>
    <message>
        <source>Relative change of the loss</source>
        <translation>损失的相对变化</translation>
    </message>
    <message>
        <source>Losses that differ by this part of the reference&apos;s</source>
        <translation>损失与参考相差达到此比例</translation>
    </message>
    <message>
        <source>The reference itself is not finite from %1: %2 of %3 elements</source>
        <translation>参考自身从 %1 起出现非有限值：%3 个元素中有 %2 个</translation>
    </message>
    <message>
        <source>%1 tensors of the reference hold NaN or infinite elements. Metrics are over the elements that are finite in both runs, so errors from here on rest on fewer elements, and the cause lies in the model or its input rather than in a variant&apos;s precision.</source>
        <translation>参考中有 %1 个张量含有 NaN 或无穷元素。指标只统计两次运行中均为有限值的元素，因此此后的误差基于更少的元素；原因在于模型或其输入，而非变体的精度。</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>非有限</translation>
    </message>
    <message>
        <source>Reference not finite</source>
        <translation>参考非有限</translation>
    </message>
    <message>
        <source>At %1 the relative error of %2 falls from %3 to %4 only because the reference grows from %5 to %6; the absolute error grows from %7 to %8</source>
        <translation>在 %1 处，%2 的相对误差由 %3 降到 %4，只是因为参考由 %5 增大到 %6；绝对误差由 %7 增大到 %8</translation>
    </message>
    <message>
        <source>From %1 to here the relative error (RMS) falls and the RMS of the reference rises, each at least %2-fold, while the RMS of the difference rises. Read the absolute error beside the relative one.</source>
        <translation>从 %1 到此处，相对误差（均方根）下降而参考的均方根上升，幅度均至少为 %2 倍，同时差异的均方根上升。请结合绝对误差解读相对误差。</translation>
    </message>
    <message>
        <source>relative error before</source>
        <translation>之前的相对误差</translation>
    </message>
    <message>
        <source>relative error here</source>
        <translation>此处的相对误差</translation>
    </message>
    <message>
        <source>RMS of the reference before</source>
        <translation>之前参考的均方根</translation>
    </message>
    <message>
        <source>RMS of the reference here</source>
        <translation>此处参考的均方根</translation>
    </message>
    <message>
        <source>RMS of the difference before</source>
        <translation>之前差异的均方根</translation>
    </message>
    <message>
        <source>RMS of the difference here</source>
        <translation>此处差异的均方根</translation>
    </message>
    <message>
        <source>Scale hides the error</source>
        <translation>尺度掩盖误差</translation>
    </message>
    <message>
        <source>Fall of the relative error and rise of the scale</source>
        <translation>相对误差下降与尺度上升</translation>
    </message>
    <message>
        <source>%1 decides otherwise than the reference on %2 of %3 tokens (%4) whether %5 clips them</source>
        <translation>%1 对 %3 个 token 中的 %2 个（%4）作出与参考不同的 %5 裁剪判定</translation>
    </message>
    <message>
        <source>%1 decides otherwise than the reference on %2 of %3 documents (%4) whether %5 clips them</source>
        <translation>%1 对 %3 个文档中的 %2 个（%4）作出与参考不同的 %5 裁剪判定</translation>
    </message>
    <message>
        <source>The ratio of new to old probability lies in another region (below, within, above the clip range) than in the reference for at least %1 of them, by the error of the log-probabilities alone. Where that changes which of them send a gradient, the update is another one.</source>
        <translation>至少 %1 的新旧概率之比所处区域（低于、处于或高于裁剪范围）与参考不同，而这仅由对数概率的误差引起。若因此改变了哪些项产生梯度，更新就会不同。</translation>
    </message>
    <message>
        <source>flips</source>
        <translation>翻转数</translation>
    </message>
    <message>
        <source>share of the decisions</source>
        <translation>占判定的比例</translation>
    </message>
    <message>
        <source>with a gradient in one alone</source>
        <translation>仅在其中一次运行中有梯度</translation>
    </message>
    <message>
        <source>Clip decisions that flip</source>
        <translation>翻转的裁剪判定</translation>
    </message>
    <message>
        <source>Share of the decisions</source>
        <translation>占判定的比例</translation>
    </message>
    <message>
        <source>Runs in which this share of the clip decisions differs from the reference&apos;s</source>
        <translation>裁剪判定与参考不同的比例达到此值的运行</translation>
    </message>
    <message>
        <source>%1 gives the chosen tokens other log-probabilities than the reference: RMS %2, at most %3, in nats, and %4 of the tokens above %5</source>
        <translation>%1 给所选 token 的对数概率与参考不同：均方根 %2，最大 %3（单位奈特），%4 的 token 超过 %5</translation>
    </message>
    <message>
        <source>The RMS of the differences is at least %1 nats. A difference of d multiplies the probability of a token by exp(d): where one engine samples and another trains, their ratio is off by that much before anything is learnt.</source>
        <translation>差值的均方根不低于 %1 奈特。差值 d 会使 token 的概率变为 exp(d) 倍：若由一个引擎采样、另一个引擎训练，则在学到任何东西之前，两者的概率比就已偏离这么多。</translation>
    </message>
    <message>
        <source>RMS of the differences</source>
        <translation>差值的均方根</translation>
    </message>
    <message>
        <source>mean of the differences</source>
        <translation>差值的均值</translation>
    </message>
    <message>
        <source>mean of their magnitudes</source>
        <translation>差值绝对值的均值</translation>
    </message>
    <message>
        <source>largest difference</source>
        <translation>最大差值</translation>
    </message>
    <message>
        <source>tokens above epsilon</source>
        <translation>超过 ε 的 token</translation>
    </message>
    <message>
        <source>same most likely token</source>
        <translation>最可能 token 相同</translation>
    </message>
    <message>
        <source>Log-probabilities that are far off</source>
        <translation>偏差较大的对数概率</translation>
    </message>
    <message>
        <source>Runs whose log-probabilities of the chosen tokens differ from the reference&apos;s by this much or more, in nats</source>
        <translation>所选 token 的对数概率与参考相差达到此值的运行，单位奈特</translation>
    </message>
    <message>
        <source>Culprit</source>
        <translation>源头</translation>
    </message>
    <message>
        <source>Not finite from %2, by the recorded statistics (%1)</source>
        <translation>据所记录的统计量，从 %2 起出现非有限值（%1）</translation>
    </message>
    <message>
        <source>The first tensor in order of execution whose recorded maximum, minimum or norm is not finite where the reference&apos;s is. How many elements that are was not recorded. %1 tensors of the variant are affected in all.</source>
        <translation>按执行顺序第一个所记录的最大值、最小值或范数非有限而参考有限的张量。涉及多少元素未被记录。该变体共有 %1 个张量受影响。</translation>
    </message>
    <message>
        <source>The reference itself is not finite from %1, by the recorded statistics</source>
        <translation>据所记录的统计量，参考自身从 %1 起出现非有限值</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Repeatability</source>
        <translation>可重复性</translation>
    </message>
    <message>
        <source>%1 tensors of the baseline hold NaN or infinite elements. Metrics are over the elements that are finite in both runs, so errors from here on rest on fewer elements.</source>
        <translation>基线中有 %1 个张量含有 NaN 或无穷元素。指标只统计两次运行中都为有限值的元素，因此从此处起的误差基于更少的元素。</translation>
    </message>
    <message>
        <source>Gradients of %1 underflow in %2: at %3, of RMS %4, the error is %5; tensors of this kind: %6. No loss scale helps, since gradients reach %7</source>
        <translation>%1 的梯度在 %2 中下溢：在 %3 处 RMS 为 %4，误差为 %5；此类张量数：%6。梯度最大达 %7，任何损失缩放都无济于事</translation>
    </message>
    <message>
        <source>Gradients of %1 underflow in %2: at %3, of RMS %4, the error is %5; tensors of this kind: %6. A loss scale of %7 (2^%8) keeps them</source>
        <translation>%1 的梯度在 %2 中下溢：在 %3 处 RMS 为 %4，误差为 %5；此类张量数：%6。损失缩放取 %7（2^%8）即可全部保留</translation>
    </message>
    <message>
        <source>Gradients of %1 underflow in %2: at %3, of RMS %4, the error is %5; tensors of this kind: %6. A loss scale of %7 (2^%8) keeps all but %9 of them</source>
        <translation>%1 的梯度在 %2 中下溢：在 %3 处 RMS 为 %4，误差为 %5；此类张量数：%6。损失缩放取 %7（2^%8）可保留其中除 %9 个以外的全部</translation>
    </message>
    <message>
        <source>RMS of the reference there</source>
        <translation>该处参考值的 RMS</translation>
    </message>
    <message>
        <source>smallest RMS</source>
        <translation>最小 RMS</translation>
    </message>
    <message>
        <source>largest gradient known</source>
        <translation>已知最大梯度</translation>
    </message>
    <message>
        <source>loss scale</source>
        <translation>损失缩放</translation>
    </message>
    <message>
        <source>Underflow of gradients</source>
        <translation>梯度下溢</translation>
    </message>
    <message>
        <source>Relative error of a gradient</source>
        <translation>梯度的相对误差</translation>
    </message>
    <message>
        <source>Gradients below the normal numbers of their format are reported from this error on</source>
        <translation>低于其格式正规数的梯度，误差达到此值即报告</translation>
    </message>
    <message>
        <source>not in the first report</source>
        <translation>不在第一个报告中</translation>
    </message>
    <message>
        <source>equal bit for bit</source>
        <translation>逐位相等</translation>
    </message>
    <message>
        <source>equal but for the loss</source>
        <translation>除损失外相等</translation>
    </message>
    <message>
        <source>lacks %1 of %2 tensors</source>
        <translation>缺少 %2 个张量中的 %1 个</translation>
    </message>
    <message>
        <source>differs from %1 on, in %2 of %3 tensors</source>
        <translation>自 %1 起不同，%3 个张量中有 %2 个</translation>
    </message>
    <message>
        <source>no tensor stands out</source>
        <translation>没有突出的张量</translation>
    </message>
    <message>
        <source>%1, not finite: %2 of %3</source>
        <translation>%1，非有限：%3 中的 %2</translation>
    </message>
    <message>
        <source>nowhere %1-fold</source>
        <translation>各处均未达 %1 倍</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%2 处 %1</translation>
    </message>
    <message>
        <source>%1 from %2 to %3, most at %4 (%5)</source>
        <translation>从 %2 到 %3 为 %1，%4 处最多（%5）</translation>
    </message>
    <message>
        <source>not finite from %1 on</source>
        <translation>自 %1 起非有限</translation>
    </message>
    <message>
        <source>nothing that was tried</source>
        <translation>所试设置均无帮助</translation>
    </message>
    <message>
        <source>every number equals the reference&apos;s</source>
        <translation>所有数值与参考相等</translation>
    </message>
    <message>
        <source>every number equals the baseline&apos;s</source>
        <translation>所有数值与基线相等</translation>
    </message>
    <message>
        <source>no call makes a larger error than what it reads and rounding explain</source>
        <translation>没有调用产生的误差超出其输入与舍入所能解释的范围</translation>
    </message>
    <message>
        <source>Errors start at %2, where another kernel ran (%1)</source>
        <translation>误差始于 %2，该处运行了另一个内核（%1）</translation>
    </message>
    <message>
        <source>Another kernel ran at %2 (%1)</source>
        <translation>%2 处运行了另一个内核（%1）</translation>
    </message>
    <message>
        <source>The formats are those of the reference, but another kernel adds up in another order, or rounds elsewhere. In the reference ran %1, here %2. Other kernels ran for %3 tensors.</source>
        <translation>格式与参考相同，但另一个内核以另一种顺序累加，或在别处舍入。参考中运行的是 %1，此处是 %2。共有 %3 个张量运行了其他内核。</translation>
    </message>
    <message>
        <source>tensors with other kernels</source>
        <translation>运行了其他内核的张量数</translation>
    </message>
    <message>
        <source>Another kernel</source>
        <translation>另一个内核</translation>
    </message>
    <message>
        <source>%1: attention ran in the kernel %2, in the reference in %3</source>
        <translation>%1：注意力使用内核 %2，参考运行使用 %3</translation>
    </message>
    <message>
        <source>Kernels add up and round in an order of their own, so part of the error of these layers does not come from the formats. Set attention.implementation of both runs to the same kernel to be rid of it.</source>
        <translation>各内核的累加与舍入顺序不同，因此这些层的部分误差并非来自数值格式。将两次运行的 attention.implementation 设为同一内核即可消除。</translation>
    </message>
    <message>
        <source>attention layers</source>
        <translation>注意力层</translation>
    </message>
    <message>
        <source>The attention of %1 does not multiply in float32</source>
        <translation>%1 的注意力乘法不是 float32</translation>
    </message>
    <message>
        <source>The memory-efficient kernel makes each product of float32 of three products of TF32 on GPUs since Ampere. With attention.implementation: sdpa_math it is one of float32.</source>
        <translation>在 Ampere 及之后的 GPU 上，内存高效内核用三次 TF32 乘法代替一次 float32 乘法。设为 attention.implementation: sdpa_math 则为真正的 float32 乘法。</translation>
    </message>
    <message>
        <source>Attention kernels</source>
        <translation>注意力内核</translation>
    </message>
    <message>
        <source>cause: %1</source>
        <translation>原因：%1</translation>
    </message>
    <message>
        <source>With %1 alone every logit, and every element of all %2 tensors, is bit-equal to %3 (proved by run &apos;%4&apos;).</source>
        <translation>仅改为 %1，所有 logit 以及全部 %2 个张量的每个元素都与 %3 逐位相等（由运行“%4”证明）。</translation>
    </message>
    <message>
        <source>With %1 alone every logit is bit-equal to %2 (proved by run &apos;%3&apos;).</source>
        <translation>仅改为 %1，所有 logit 都与 %2 逐位相等（由运行“%3”证明）。</translation>
    </message>
    <message>
        <source>%1 of %2 tensors differ all the same.</source>
        <translation>%2 个张量中仍有 %1 个不同。</translation>
    </message>
    <message>
        <source>cause of the first difference: %1. With %2 alone %3 is bit-equal to %4 (proved by run &apos;%5&apos;).</source>
        <translation>第一个差异的原因：%1。仅改为 %2，%3 即与 %4 逐位相等（由运行“%5”证明）。</translation>
    </message>
    <message>
        <source>No single change makes all logits equal; most of them are with %1 (%2).</source>
        <translation>没有任何单一改动能使所有 logit 相等；改为 %1 时相等的最多（%2）。</translation>
    </message>
    <message>
        <source>Not finite from step %1 on: first %2</source>
        <translation>从步骤 %1 起出现非有限值：首先是 %2</translation>
    </message>
    <message>
        <source>Of the tensors that were finite at every step before, the first in order of execution. %1 more begin at the same step in this pass.</source>
        <translation>在此前每一步都为有限的张量中，按执行顺序的第一个。在这一遍中，另有 %1 个从同一步开始。</translation>
    </message>
    <message>
        <source>A spike begins at step %1: the norm of %2 is %3, %4 times what it was</source>
        <translation>尖峰始于步骤 %1：%2 的范数为 %3，是此前的 %4 倍</translation>
    </message>
    <message>
        <source>The norm is more than %1 times the median of the steps before, %2. It is the first such tensor in order of execution; %3 more begin at the same step in this pass.</source>
        <translation>范数超过此前各步中位数 %2 的 %1 倍。这是按执行顺序的第一个这样的张量；在这一遍中，另有 %3 个从同一步开始。</translation>
    </message>
    <message>
        <source>norm</source>
        <translation>范数</translation>
    </message>
    <message>
        <source>median before</source>
        <translation>此前的中位数</translation>
    </message>
    <message>
        <source>Spike over the steps</source>
        <translation>各步中的尖峰</translation>
    </message>
    <message>
        <source>Norm over the median of the steps before</source>
        <translation>范数与此前各步中位数之比</translation>
    </message>
    <message>
        <source>Norms of healthy runs go up and down by a factor of two or three between batches</source>
        <translation>正常运行的范数在批次之间会有两三倍的起伏</translation>
    </message>
    <message>
        <source>no call makes NaN or infinity of finite numbers</source>
        <translation>没有调用由有限数产生 NaN 或无穷</translation>
    </message>
    <message>
        <source>%1 needs the elements of both sides</source>
        <translation>%1 需要两侧的元素</translation>
    </message>
    <message>
        <source>The row holds nothing that the rules ask for</source>
        <translation>该行不含规则所查的内容</translation>
    </message>
    <message>
        <source>No rule is about the row</source>
        <translation>没有规则涉及该行</translation>
    </message>
    <message>
        <source>%1 does not hold: NaN, or infinity on one side alone</source>
        <translation>%1 不成立：NaN，或仅一侧为无穷</translation>
    </message>
    <message>
        <source>%1 does not hold: %2</source>
        <translation>%1 不成立：%2</translation>
    </message>
    <message>
        <source>Of %1 rules %2 could not be asked: the row does not hold their metric</source>
        <translation>%1 条规则中有 %2 条无法检查：该行没有相应的指标</translation>
    </message>
    <message>
        <source>different</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>steepest factor</source>
        <translation>最陡的倍数</translation>
    </message>
    <message>
        <source>not finite before</source>
        <translation>此前非有限</translation>
    </message>
    <message>
        <source>not finite after</source>
        <translation>此后非有限</translation>
    </message>
    <message>
        <source>error before</source>
        <translation>此前的误差</translation>
    </message>
    <message>
        <source>error after</source>
        <translation>此后的误差</translation>
    </message>
    <message>
        <source>equal tensors before it</source>
        <translation>此前相等的张量</translation>
    </message>
    <message>
        <source>tensors that differ</source>
        <translation>不同的张量</translation>
    </message>
    <message>
        <source>KL that rounding accounts for</source>
        <translation>舍入所能解释的 KL</translation>
    </message>
    <message>
        <source>tensors not finite</source>
        <translation>非有限的张量</translation>
    </message>
    <message>
        <source>largest input</source>
        <translation>最大的输入</translation>
    </message>
    <message>
        <source>the rotary tables, whose frequencies (inv_freq) precision.cast: module rounds</source>
        <translation>旋转位置表，其频率 (inv_freq) 被 precision.cast: module 舍入</translation>
    </message>
    <message>
        <source>the frequencies kept in float32</source>
        <translation>频率保持 float32</translation>
    </message>
    <message>
        <source>the formats at %1</source>
        <translation>%1 处的格式</translation>
    </message>
    <message>
        <source>%1 (%2 → %3 %)</source>
        <translation>%1（%2 → %3 %）</translation>
    </message>
    <message>
        <source>an unknown amount</source>
        <translation>未知的量</translation>
    </message>
    <message>
        <source>%1 holds NaN or infinity where the baseline has numbers</source>
        <translation>%1 含有 NaN 或无穷，而基线为有限数值</translation>
    </message>
    <message>
        <source>%1 holds numbers where the baseline has NaN or infinity</source>
        <translation>%1 含有有限数值，而基线为 NaN 或无穷</translation>
    </message>
    <message>
        <source>%1 holds another NaN or infinity than the baseline</source>
        <translation>%1 含有与基线不同的 NaN 或无穷</translation>
    </message>
    <message>
        <source>%1 holds numbers where the baseline has zeros alone</source>
        <translation>%1 含有非零数值，而基线全为零</translation>
    </message>
    <message>
        <source>%1 differs by %2</source>
        <translation>%1 相差 %2</translation>
    </message>
    <message>
        <source>%1, while what was recorded before agrees: made between the calls that were recorded</source>
        <translation>%1，而此前所记录的内容一致：误差产生于所记录的调用之间</translation>
    </message>
    <message>
        <source>%1, while what was recorded before differs by at most %2: made between the calls that were recorded</source>
        <translation>%1，而此前所记录的内容至多相差 %2：误差产生于所记录的调用之间</translation>
    </message>
    <message>
        <source>its argument %1 is %2 instead of %3</source>
        <translation>其参数值 %1 为 %2，而不是 %3</translation>
    </message>
    <message>
        <source>its parameter %1</source>
        <translation>其参数 %1</translation>
    </message>
    <message>
        <source>its input %1</source>
        <translation>其输入 %1</translation>
    </message>
    <message>
        <source>%1, and nothing recorded has made it</source>
        <translation>%1，且没有任何所记录的调用生成该张量</translation>
    </message>
    <message>
        <source>%1, and what it read is finite where the baseline&apos;s is</source>
        <translation>%1，而该调用读取的内容在基线为有限值之处也均为有限值</translation>
    </message>
    <message>
        <source>%1, and what it read is finite</source>
        <translation>%1，而该调用读取的内容均为有限值</translation>
    </message>
    <message>
        <source>%1 where at most %2 came in</source>
        <translation>%1，而传入的误差至多为 %2</translation>
    </message>
    <message>
        <source>its inputs were not recorded</source>
        <translation>未记录其输入</translation>
    </message>
    <message>
        <source>its inputs agree in their statistics, which cannot tell elements that changed places</source>
        <translation>其输入的统计量一致，但统计量无法识别位置互换的元素</translation>
    </message>
    <message>
        <source>what made the tensor was not recorded</source>
        <translation>未记录生成该张量的调用</translation>
    </message>
    <message>
        <source>far beyond what rounding and carried errors account for</source>
        <translation>远超舍入与传入误差所能解释的范围</translation>
    </message>
    <message>
        <source>not far beyond the %1 that rounding and carried errors account for</source>
        <translation>未远超舍入与传入误差所能解释的 %1</translation>
    </message>
    <message>
        <source>low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>medium</source>
        <translation>中</translation>
    </message>
    <message>
        <source>high</source>
        <translation>高</translation>
    </message>
    <message>
        <source>the root of a negative number</source>
        <translation>负数的平方根</translation>
    </message>
    <message>
        <source>the logarithm of a negative number</source>
        <translation>负数的对数</translation>
    </message>
    <message>
        <source>a division by 0</source>
        <translation>除以 0</translation>
    </message>
    <message>
        <source>a division by 0 or by a number near it</source>
        <translation>除以 0 或接近 0 的数</translation>
    </message>
    <message>
        <source>puts out NaN, and what it read is finite: %1</source>
        <translation>输出 NaN，而其读取的内容均为有限值：%1</translation>
    </message>
    <message>
        <source>puts out NaN; among what it read, infinities stand for a mask: a row that is masked as a whole has no sum to divide by</source>
        <translation>输出 NaN；其读取的内容中以无穷表示掩码：整行被掩码时，没有可作除数的和</translation>
    </message>
    <message>
        <source>puts out NaN; among what it read, infinities stand for a mask: a difference of infinities, or 0 times infinity</source>
        <translation>输出 NaN；其读取的内容中以无穷表示掩码：无穷相减，或 0 乘以无穷</translation>
    </message>
    <message>
        <source>its input %1 holds NaN, and everything that was recorded before is finite</source>
        <translation>其输入 %1 含有 NaN，而此前所记录的内容均为有限值</translation>
    </message>
    <message>
        <source>its input %1 holds infinity, and everything that was recorded before is finite</source>
        <translation>其输入 %1 含有无穷，而此前所记录的内容均为有限值</translation>
    </message>
    <message>
        <source>its parameter %1 holds NaN, and nothing recorded has made it</source>
        <translation>其参数 %1 含有 NaN，且没有任何所记录的调用产生它</translation>
    </message>
    <message>
        <source>its parameter %1 holds infinity, and nothing recorded has made it</source>
        <translation>其参数 %1 含有无穷，且没有任何所记录的调用产生它</translation>
    </message>
    <message>
        <source>its incoming gradient %1 holds NaN, and everything that was recorded before is finite</source>
        <translation>其传入的梯度 %1 含有 NaN，而此前所记录的内容均为有限值</translation>
    </message>
    <message>
        <source>its incoming gradient %1 holds infinity, and everything that was recorded before is finite</source>
        <translation>其传入的梯度 %1 含有无穷，而此前所记录的内容均为有限值</translation>
    </message>
    <message>
        <source>%1 of 0; %2 holds %3 to %4</source>
        <translation>对 0 求 %1；%2 的取值为 %3 至 %4</translation>
    </message>
    <message>
        <source>%1; %2 holds %3 to %4</source>
        <translation>%1；%2 的取值为 %3 至 %4</translation>
    </message>
    <message>
        <source>an infinity on the way (Inf − Inf, 0 · Inf), 0 / 0, or memory that nobody wrote</source>
        <translation>计算途中出现无穷（Inf − Inf、0 · Inf）、0 / 0，或未写入的内存</translation>
    </message>
    <message>
        <source>puts out infinity, and what it read is finite: %1</source>
        <translation>输出无穷，而其读取的内容均为有限值：%1</translation>
    </message>
    <message>
        <source>puts out infinity, and what it read is finite: a result beyond %1, the largest %2</source>
        <translation>输出无穷，而其读取的内容均为有限值：结果超出 %1，即 %2 的最大数</translation>
    </message>
    <message>
        <source>puts out infinity, and what it read is finite: a result beyond the largest number of its format</source>
        <translation>输出无穷，而其读取的内容均为有限值：结果超出其格式的最大数</translation>
    </message>
    <message>
        <source>%1; the largest number that it read is %2</source>
        <translation>%1；其读取的最大数为 %2</translation>
    </message>
    <message>
        <source>torch.use_deterministic_algorithms(True)</source>
        <translation>torch.use_deterministic_algorithms(True)</translation>
    </message>
    <message>
        <source>there is no deterministic kernel on CUDA: torch.use_deterministic_algorithms(True) refuses it; compute it on the CPU or in another way</source>
        <translation>CUDA 上没有确定性内核：torch.use_deterministic_algorithms(True) 会拒绝执行；请在 CPU 上或以其他方式计算</translation>
    </message>
    <message>
        <source>torch.backends.cudnn.deterministic = True and torch.backends.cudnn.benchmark = False</source>
        <translation>torch.backends.cudnn.deterministic = True 且 torch.backends.cudnn.benchmark = False</translation>
    </message>
    <message>
        <source>all_reduce, reduce_scatter</source>
        <translation>all_reduce, reduce_scatter</translation>
    </message>
    <message>
        <source>adds what the ranks send in an order that the algorithm (ring, tree), the number of channels and the network decide</source>
        <translation>对各 rank 发送的内容求和，其顺序取决于算法（ring、tree）、通道数与网络</translation>
    </message>
    <message>
        <source>NCCL_ALGO=Ring and NCCL_PROTO=Simple on the same ranks and nodes (HCCL_DETERMINISTIC=true on Ascend)</source>
        <translation>在相同的 rank 与节点上设置 NCCL_ALGO=Ring 和 NCCL_PROTO=Simple（Ascend 上为 HCCL_DETERMINISTIC=true）</translation>
    </message>
    <message>
        <source>scatter, scatter_add, scatter_reduce</source>
        <translation>scatter, scatter_add, scatter_reduce</translation>
    </message>
    <message>
        <source>adds, or overwrites, with atomics on CUDA, in any order</source>
        <translation>在 CUDA 上以原子操作按任意顺序累加或覆盖</translation>
    </message>
    <message>
        <source>index_add, index_copy, index_put, x[i] = y</source>
        <translation>index_add, index_copy, index_put, x[i] = y</translation>
    </message>
    <message>
        <source>writes to repeated indices in any order</source>
        <translation>按任意顺序写入重复的索引</translation>
    </message>
    <message>
        <source>put_</source>
        <translation>put_</translation>
    </message>
    <message>
        <source>gather, index_select, x[i], repeat_interleave, backward</source>
        <translation>gather、index_select、x[i]、repeat_interleave，反向</translation>
    </message>
    <message>
        <source>adds the gradients of repeated indices with atomics</source>
        <translation>以原子操作累加重复索引的梯度</translation>
    </message>
    <message>
        <source>embedding, backward</source>
        <translation>embedding，反向</translation>
    </message>
    <message>
        <source>adds the gradients of equal tokens in any order on CUDA</source>
        <translation>在 CUDA 上按任意顺序累加相同 token 的梯度</translation>
    </message>
    <message>
        <source>fused attention, backward</source>
        <translation>融合注意力，反向</translation>
    </message>
    <message>
        <source>adds the gradients of query blocks with atomics (flash and memory-efficient kernels)</source>
        <translation>以原子操作累加各 query 块的梯度（flash 与内存高效内核）</translation>
    </message>
    <message>
        <source>torch.use_deterministic_algorithms(True); flash_attn_func(…, deterministic=True); or torch.nn.attention.sdpa_kernel(SDPBackend.MATH)</source>
        <translation>torch.use_deterministic_algorithms(True)；flash_attn_func(…, deterministic=True)；或 torch.nn.attention.sdpa_kernel(SDPBackend.MATH)</translation>
    </message>
    <message>
        <source>cumsum</source>
        <translation>cumsum</translation>
    </message>
    <message>
        <source>adds blocks of floating-point numbers in any order on CUDA</source>
        <translation>在 CUDA 上按任意顺序累加浮点数块</translation>
    </message>
    <message>
        <source>torch.use_deterministic_algorithms(True), which refuses it where there is no deterministic kernel; compute it on the CPU or in integers</source>
        <translation>torch.use_deterministic_algorithms(True)，没有确定性内核时会拒绝执行；请在 CPU 上或用整数计算</translation>
    </message>
    <message>
        <source>bincount, histc, kthvalue, median</source>
        <translation>bincount, histc, kthvalue, median</translation>
    </message>
    <message>
        <source>counts or chooses with atomics on CUDA</source>
        <translation>在 CUDA 上以原子操作计数或选取</translation>
    </message>
    <message>
        <source>nll_loss, ctc_loss</source>
        <translation>nll_loss, ctc_loss</translation>
    </message>
    <message>
        <source>adds with atomics on CUDA</source>
        <translation>在 CUDA 上以原子操作累加</translation>
    </message>
    <message>
        <source>interpolate, grid_sample, backward</source>
        <translation>interpolate、grid_sample，反向</translation>
    </message>
    <message>
        <source>adds the gradients of neighbouring points with atomics on CUDA</source>
        <translation>在 CUDA 上以原子操作累加相邻点的梯度</translation>
    </message>
    <message>
        <source>pooling, backward</source>
        <translation>池化，反向</translation>
    </message>
    <message>
        <source>adds the gradients of windows that overlap with atomics on CUDA</source>
        <translation>在 CUDA 上以原子操作累加重叠窗口的梯度</translation>
    </message>
    <message>
        <source>max_unpool</source>
        <translation>max_unpool</translation>
    </message>
    <message>
        <source>reflection and replication padding, backward</source>
        <translation>反射填充与复制填充，反向</translation>
    </message>
    <message>
        <source>adds the gradients of repeated elements with atomics on CUDA</source>
        <translation>在 CUDA 上以原子操作累加重复元素的梯度</translation>
    </message>
    <message>
        <source>convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>is computed by the algorithm that cuDNN finds fastest</source>
        <translation>由 cuDNN 测得最快的算法计算</translation>
    </message>
    <message>
        <source>random numbers</source>
        <translation>随机数</translation>
    </message>
    <message>
        <source>depends on the state of the generator</source>
        <translation>取决于生成器的状态</translation>
    </message>
    <message>
        <source>torch.manual_seed(…) before the step, and the same order of draws</source>
        <translation>在该步之前调用 torch.manual_seed(…)，并保持相同的抽取顺序</translation>
    </message>
    <message>
        <source>memory that nobody wrote</source>
        <translation>未写入的内存</translation>
    </message>
    <message>
        <source>holds whatever was there</source>
        <translation>内容为其中原有的任意数据</translation>
    </message>
    <message>
        <source>torch.use_deterministic_algorithms(True), which fills it (torch.utils.deterministic.fill_uninitialized_memory)</source>
        <translation>torch.use_deterministic_algorithms(True)，它会填充该内存 (torch.utils.deterministic.fill_uninitialized_memory)</translation>
    </message>
    <message>
        <source>sort, topk</source>
        <translation>sort, topk</translation>
    </message>
    <message>
        <source>puts equal elements in any order unless it is stable</source>
        <translation>若非稳定排序，相等元素的顺序是任意的</translation>
    </message>
    <message>
        <source>torch.sort(…, stable=True)</source>
        <translation>torch.sort(…, stable=True)</translation>
    </message>
    <message>
        <source>matrix products</source>
        <translation>矩阵乘法</translation>
    </message>
    <message>
        <source>may split a sum in another way where cuBLAS shares its workspace among streams</source>
        <translation>当 cuBLAS 在多个流之间共享工作区时，求和的拆分方式可能不同</translation>
    </message>
    <message>
        <source>CUBLAS_WORKSPACE_CONFIG=:4096:8 in the environment</source>
        <translation>在环境变量中设置 CUBLAS_WORKSPACE_CONFIG=:4096:8</translation>
    </message>
    <message>
        <source>norm %1 instead of %2</source>
        <translation>范数为 %1，而不是 %2</translation>
    </message>
    <message>
        <source>max %1 instead of %2</source>
        <translation>最大值为 %1，而不是 %2</translation>
    </message>
    <message>
        <source>min %1 instead of %2</source>
        <translation>最小值为 %1，而不是 %2</translation>
    </message>
    <message>
        <source>mean %1 instead of %2</source>
        <translation>均值为 %1，而不是 %2</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>statistics differ</source>
        <translation>统计量不同</translation>
    </message>
    <message>
        <source>%1 instead of %2</source>
        <translation>%1，而不是 %2</translation>
    </message>
    <message>
        <source>its checksum</source>
        <translation>其校验和</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 (and %2 more rank)</source>
        <translation>%1（以及另外 %2 个 rank）</translation>
    </message>
    <message>
        <source>%1 (and %2 more ranks)</source>
        <translation>%1（以及另外 %2 个 rank）</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>步骤 %1</translation>
    </message>
    <message>
        <source>sample %1</source>
        <translation>样本 %1</translation>
    </message>
    <message>
        <source>token %1</source>
        <translation>token %1</translation>
    </message>
    <message>
        <source>position %1</source>
        <translation>位置 %1</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>%1: the first token of this run whose logits fail</source>
        <translation>%1：此运行中 logits 首个不合格的 token</translation>
    </message>
    <message>
        <source>The chosen token changes from %1 to %2</source>
        <translation>所选 token 由 %1 变为 %2</translation>
    </message>
    <message>
        <source>The chosen token stays %1</source>
        <translation>所选 token 仍为 %1</translation>
    </message>
    <message>
        <source>Its logits are not finite</source>
        <translation>其 logits 非有限</translation>
    </message>
    <message>
        <source>Where the error of %1 starts, at position %2 of its network; sureness %3: %4</source>
        <translation>%1 的误差始于此处，在其网络的位置 %2；确定程度%3：%4</translation>
    </message>
    <message>
        <source>%1, here</source>
        <translation>%1，此处</translation>
    </message>
    <message>
        <source>%1, %2 call before</source>
        <translation>%1，在此之前 %2 个调用</translation>
    </message>
    <message>
        <source>%1, %2 calls before</source>
        <translation>%1，在此之前 %2 个调用</translation>
    </message>
    <message>
        <source>%1 calls</source>
        <translation>%1 个调用</translation>
    </message>
    <message>
        <source>what it put out agrees</source>
        <translation>其输出一致</translation>
    </message>
    <message>
        <source>%1 (%2): %3; %4</source>
        <translation>%1（%2）：%3；%4</translation>
    </message>
    <message>
        <source>Sureness %1: %2</source>
        <translation>确定程度%1：%2</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>%1: the first tensor that differs between runs of the same calls</source>
        <translation>%1：在调用相同的各次运行之间首个不同的张量</translation>
    </message>
    <message>
        <source>Known to be non-deterministic, at it or before: %1</source>
        <translation>此处或此前已知为非确定性的操作：%1</translation>
    </message>
    <message>
        <source>%1: not equal on the ranks of the baseline, which should hold it alike</source>
        <translation>%1：在基线的各 rank 上不相等，而它们本应一致</translation>
    </message>
    <message>
        <source>%1: not equal on the ranks of the candidate, which should hold it alike</source>
        <translation>%1：在候选的各 rank 上不相等，而它们本应一致</translation>
    </message>
    <message>
        <source>%1; the first in order of execution; healthy ranks may differ in all of them: gradients that are not summed up yet, functions inside of parallel layers, and what data-parallel ranks make of their own data</source>
        <translation>%1；按执行顺序为第一个；正常的各 rank 在所有这些内容上都可能不同：尚未求和的梯度、并行层内部的函数，以及数据并行的各 rank 由自身数据得到的内容</translation>
    </message>
    <message>
        <source>%1; the first in order of execution; if they are shards, a rule of &apos;shards&apos; says so</source>
        <translation>%1；按执行顺序为第一个；若它们是分片，请在“shards”中用一条规则说明</translation>
    </message>
    <message>
        <source>Not finite from %1 on</source>
        <translation>从 %1 起出现非有限值</translation>
    </message>
    <message>
        <source>%1; what the other ranks put in accounts for none of it, so that the communication itself, or the order in which it adds, made the error</source>
        <translation>%1；其他 rank 的输入完全不能解释该误差，因此误差由通信本身或其求和顺序产生</translation>
    </message>
    <message>
        <source>received from %1, whose %2 holds NaN or infinity</source>
        <translation>接收自 %1，其 %2 含有 NaN 或无穷</translation>
    </message>
    <message>
        <source>received from %1, whose %2 differs</source>
        <translation>接收自 %1，其 %2 不同</translation>
    </message>
    <message>
        <source>received from %1, whose %2 differs by %3</source>
        <translation>接收自 %1，其 %2 相差 %3</translation>
    </message>
    <message>
        <source>its own inputs do not account for it, and those of the other rank do</source>
        <translation>其自身的输入不能解释该误差，而另一个 rank 的输入可以</translation>
    </message>
    <message>
        <source>%1; no single call there makes that error</source>
        <translation>%1；那里没有任何单个调用产生该误差</translation>
    </message>
    <message>
        <source>%1; it starts on %2 at %3: %4</source>
        <translation>%1；误差始于 %2 的 %3：%4</translation>
    </message>
    <message>
        <source>%1: %2 of %3 elements differ from those of %4</source>
        <translation>%1：%3 个元素中有 %2 个与 %4 的不同</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 及另外 %2 项</translation>
    </message>
    <message>
        <source>%1 tensors are compared with two dimensions exchanged ([T, B, …] and [B, T, …]), as the other side holds them: %2; &apos;exchanged&apos; of the mapping can say otherwise</source>
        <translation>%1 个张量在交换两个维度（[T, B, …] 与 [B, T, …]）后比较，与另一侧一致：%2；可用映射的“exchanged”另行指定</translation>
    </message>
    <message>
        <source>%1 tensors have two dimensions that are equally long, and nothing tells whether both sides hold them in the same order: %2 are compared as they are; &apos;exchanged&apos; of the mapping can say otherwise</source>
        <translation>%1 个张量有两个长度相等的维度，无法判断两侧的顺序是否相同：%2 按原样比较；可用映射的“exchanged”另行指定</translation>
    </message>
    <message>
        <source>%1 parts of fused weights are compared transposed, as the other side holds them; &apos;transposed&apos; of the mapping can say otherwise</source>
        <translation>融合权重中的 %1 个部分在转置后比较，与另一侧一致；可用映射的“transposed”另行指定</translation>
    </message>
    <message>
        <source>%1: its parts agree best when taken from %2 groups, of the layouts that their sizes permit; a rule of &apos;fused&apos; can say otherwise</source>
        <translation>%1：在其大小允许的各种布局中，按 %2 组拆分时各部分最为一致；可在“fused”中用一条规则另行指定</translation>
    </message>
    <message>
        <source>the vocabulary has %1 entries here, of which %2 are compared: the last %3 are padding, left out of %4 tensors; &apos;vocabulary&apos; of the mapping can say otherwise</source>
        <translation>此处词表有 %1 项，比较其中 %2 项：最后 %3 项为填充，已从 %4 个张量中略去；可用映射的“vocabulary”另行指定</translation>
    </message>
    <message>
        <source>the vocabulary has %1 entries here, of which the last %2 may be padding; they are compared as well, since the hidden size is %1 too</source>
        <translation>此处词表有 %1 项，其中最后 %2 项可能为填充；由于隐藏维度也是 %1，这些项仍参与比较</translation>
    </message>
    <message>
        <source>%1 tensors of all experts are compared expert by expert</source>
        <translation>%1 个包含所有专家的张量逐个专家比较</translation>
    </message>
    <message>
        <source>%1 weights are compared transposed, as the other side holds them: %2; &apos;transposed&apos; of the mapping can say otherwise</source>
        <translation>%1 个权重在转置后比较，与另一侧一致：%2；可用映射的“transposed”另行指定</translation>
    </message>
    <message>
        <source>PyTorch and ATB name nothing alike: %1 tensors are paired by the rules of `msit llm compare`; the data of a mapping file pair others (docs/mapping.md)</source>
        <translation>PyTorch 与 ATB 的命名各不相同：%1 个张量按 `msit llm compare` 的规则配对；映射文件中的数据可为其他张量配对 (docs/mapping.md)</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>%1 tensors are not there on every rank, and stay as the first rank has them: %2</source>
        <translation>%1 个张量并非在每个 rank 上都有，保持第一个 rank 上的内容：%2</translation>
    </message>
    <message>
        <source>%1 tensors cannot be put together, and stay as the first rank has them: %2</source>
        <translation>%1 个张量无法拼合，保持第一个 rank 上的内容：%2</translation>
    </message>
    <message>
        <source>%1 (%2 alone has it)</source>
        <translation>%1（仅 %2 有）</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>no dimension %1 in %2</source>
        <translation>%2 中没有维度 %1</translation>
    </message>
    <message>
        <source>%1 is no multiple of the %2 of its parts</source>
        <translation>%1 不是其各部分之和 %2 的倍数</translation>
    </message>
    <message>
        <source>%1: %2 beside %3</source>
        <translation>%1：%2 与 %3 并存</translation>
    </message>
    <message>
        <source>%1: %2 is there twice; the first one is taken</source>
        <translation>%1：%2 出现两次；取第一个</translation>
    </message>
    <message>
        <source>%1: %2: rank %3 is missing, so that its tensors cannot be put together; copy its folder</source>
        <translation>%1：%2：缺少 rank %3，因此其张量无法拼合；请复制其文件夹</translation>
    </message>
    <message>
        <source>the dump</source>
        <translation>转储</translation>
    </message>
    <message>
        <source>%1: has experts with numbers from %2 up, which are taken for the whole model&apos;s; leave &apos;experts&apos; out if all are</source>
        <translation>%1：含有编号从 %2 起的专家，按整个模型的编号处理；若所有编号都是如此，请去掉“experts”</translation>
    </message>
    <message>
        <source>%1: no module says its chunk; in a list of models, paths begin with its number, as in 1.module.decoder</source>
        <translation>%1：没有模块指明其所属的块；在模型列表中，路径以块的编号开头，如 1.module.decoder</translation>
    </message>
    <message>
        <source>baseline: %1</source>
        <translation>基线：%1</translation>
    </message>
    <message>
        <source>candidate: %1</source>
        <translation>候选：%1</translation>
    </message>
    <message>
        <source>Depends on the batch from %2 on: %3 of %4 tensors differ (%1)</source>
        <translation>从 %2 起依赖于批：%4 个张量中有 %3 个不同（%1）</translation>
    </message>
    <message>
        <source>largest relative error</source>
        <translation>最大相对误差</translation>
    </message>
    <message>
        <source>largest difference of the logits</source>
        <translation>logits 的最大差值</translation>
    </message>
    <message>
        <source>positions with another token</source>
        <translation>Token 不同的位置</translation>
    </message>
    <message>
        <source>Does not depend on the batch: all %2 tensors are equal (%1)</source>
        <translation>不依赖于批：全部 %2 个张量都相等（%1）</translation>
    </message>
    <message>
        <source>Every number is the reference&apos;s, bit for bit but for the sign of zeros, whatever was computed beside the compared sequences.</source>
        <translation>无论与所比较的序列一同计算了什么，每个数都与参考逐位相等（零的符号除外）。</translation>
    </message>
    <message>
        <source>The reference does not repeat its numbers from %2 on (%1)</source>
        <translation>参考从 %2 起不能重现自身的数值（%1）</translation>
    </message>
    <message>
        <source>Nothing is set otherwise, and %1 of %2 tensors differ. What differs with the batch as well may be this and not the batch: runtime.deterministic takes kernels that repeat their numbers.</source>
        <translation>没有任何设置不同，%2 个张量中却有 %1 个不同。随批变化的差异也可能由此而来，而非源于批：runtime.deterministic 只用能重现数值的内核。</translation>
    </message>
    <message>
        <source>Batch invariance</source>
        <translation>批不变性</translation>
    </message>
    <message>
        <source>Formats, chosen kernels and the compared sequences are the reference&apos;s. What is computed beside them differs: other sequences, padding, or pieces. Another shape takes another kernel or divides its sums otherwise, and additions come in another order. The largest relative error is %1.</source>
        <translation>格式、所选内核和所比较的序列都与参考相同，不同的是与它们一同计算的内容：其他序列、填充或分段。形状不同，所用的内核或求和的划分就不同，累加的顺序也随之不同。最大相对误差为 %1。</translation>
    </message>
    <message>
        <source>Formats, chosen kernels and the compared sequences are the reference&apos;s. What is computed beside them differs: other sequences, padding, or pieces. Another shape takes another kernel or divides its sums otherwise, and additions come in another order. The largest relative error is %1; logits differ by up to %2, and at %3 of %4 positions another token is the most likely.</source>
        <translation>格式、所选内核和所比较的序列都与参考相同，不同的是与它们一同计算的内容：其他序列、填充或分段。形状不同，所用的内核或求和的划分就不同，累加的顺序也随之不同。最大相对误差为 %1；logits 最多相差 %2，在 %4 个位置中有 %3 个的最可能 token 不同。</translation>
    </message>
    <message>
        <source>%2 chooses other experts for %3 of the tokens (%1)</source>
        <translation>%2 为 %3 的 token 选择了其他专家（%1）</translation>
    </message>
    <message>
        <source>%2 chooses other experts for %3 of the tokens, whose error is %4 × that of the others (%1)</source>
        <translation>%2 为 %3 的 token 选择了其他专家，其误差是其余 token 的 %4 倍（%1）</translation>
    </message>
    <message>
        <source>No layer has a larger share. Over all layers it is %1. A token whose last chosen expert scores hardly more than the first one that is not chosen takes another one after the smallest error, and its output is then that of other weights: the margins of half of these tokens are at most %2. A router in float32 rounds less; errors that reach its input stay.</source>
        <translation>没有哪一层的比例更大。在所有层上它是 %1。如果一个 token 最后选中的专家得分只比第一个未选中的略高，最小的误差就会让它换成另一个专家，其输出便来自其他权重：这些 token 中有一半的间隔不超过 %2。float32 的路由器舍入更少；到达其输入的误差仍然存在。</translation>
    </message>
    <message>
        <source>flipped tokens at this layer</source>
        <translation>该层翻转的 token</translation>
    </message>
    <message>
        <source>flipped tokens of all layers</source>
        <translation>所有层翻转的 token</translation>
    </message>
    <message>
        <source>error of flipped tokens</source>
        <translation>翻转 token 的误差</translation>
    </message>
    <message>
        <source>error of the other tokens</source>
        <translation>其余 token 的误差</translation>
    </message>
    <message>
        <source>Other experts</source>
        <translation>其他专家</translation>
    </message>
    <message>
        <source>Flipped tokens at a layer</source>
        <translation>一层中翻转的 token</translation>
    </message>
    <message>
        <source>From here on it is more than a note that a router chooses other experts for so many of its tokens</source>
        <translation>从这里起，路由器为这么多 token 选择其他专家就不只是提示</translation>
    </message>
    <message>
        <source>%1 of its %2 parts are there</source>
        <translation>%2 个部分中只有 %1 个</translation>
    </message>
    <message>
        <source>its parts are joined in a way that is not known</source>
        <translation>其各部分的合并方式未知</translation>
    </message>
    <message>
        <source>%1 beside %2</source>
        <translation>%1 与 %2 并存</translation>
    </message>
    <message>
        <source>it is cut along two dimensions of the mesh; name all its ranks in one group</source>
        <translation>它沿网格的两个维度切分；请把其所有 rank 写在一个组里</translation>
    </message>
    <message>
        <source>two ranks hold the same part of it</source>
        <translation>两个 rank 持有它的同一部分</translation>
    </message>
    <message>
        <source>%1 tensors of several ranks are put together as the shapes of the other side say: %2; &apos;shards&apos; of the mapping can say otherwise</source>
        <translation>%1 个张量分布在多个 rank 上，按另一侧的形状拼合：%2；可用映射的“shards”另行指定</translation>
    </message>
    <message>
        <source>%1 numbers count what a rank has of the batch, and are not compared: %2</source>
        <translation>%1 个数值统计的是单个 rank 在批次中的份额，不参与比较：%2</translation>
    </message>
    <message>
        <source>%1 tensors cannot be put together by what their ranks say of them, and are left out: %2</source>
        <translation>%1 个张量无法按各 rank 自身的说明拼合，已略去：%2</translation>
    </message>
    <message>
        <source>%1 failed: %2</source>
        <translation>%1 失败：%2</translation>
    </message>
    <message>
        <source>What is there of it was compared before, and says nothing of the rest. Mend what the message says and go on with the study.</source>
        <translation>已有的部分是在失败之前比较的，并不能说明其余部分。请按提示解决问题，然后继续该研究。</translation>
    </message>
    <message>
        <source>Failed runs</source>
        <translation>失败的运行</translation>
    </message>
    <message>
        <source>parameters have moved since %1, where gradients hold NaN or infinity</source>
        <translation>自 %1 起参数已发生变化，其梯度含有 NaN 或无穷大</translation>
    </message>
    <message>
        <source>parameters have moved since %1, where gradients differ by %2</source>
        <translation>自 %1 起参数已发生变化，其梯度相差 %2</translation>
    </message>
    <message>
        <source>First divergence at %2, which is 0 in the reference: %3 of what it reads, where %4 came in (%1)</source>
        <translation>首次偏离位于 %2，其在参考中为 0：为所读数值的 %3，输入误差为 %4（%1）</translation>
    </message>
    <message>
        <source>The first tensor in order of execution whose relative error is more than %1 times the square root of (carried error² + unit round-off²). Carried is the largest error among the tensors that it was made from, as the run recorded them. Here %2 against %3, with the unit round-off of %4. Later tensors that exceed it as well: %5.</source>
        <translation>按执行顺序，第一个相对误差超过 √(传入误差² + 单位舍入误差²) 的 %1 倍的张量。传入误差取运行所记录的、该张量由之生成的各张量中误差的最大值。此处为 %2，预期为 %3，使用 %4 的单位舍入误差。其后同样超过该值的张量数：%5。</translation>
    </message>
    <message>
        <source>The first tensor in order of execution whose relative error is more than %1 times the square root of (carried error² + unit round-off²). Carried is the largest error among the row before, the last layer&apos;s output, backward the forward tensor of the same name and, of an operation, its inputs, since a report holds no graph. Here %2 against %3, with the unit round-off of %4. Later tensors that exceed it as well: %5.</source>
        <translation>按执行顺序，第一个相对误差超过 √(传入误差² + 单位舍入误差²) 的 %1 倍的张量。由于报告不含计算图，传入误差取前一行、上一层输出、（反向时）同名前向张量以及（对于运算）其输入中误差的最大值。此处为 %2，预期为 %3，使用 %4 的单位舍入误差。其后同样超过该值的张量数：%5。</translation>
    </message>
    <message>
        <source>%1 has no gradient for %2, which the reference has</source>
        <translation>%1 没有 %2 的梯度，而参考有</translation>
    </message>
    <message>
        <source>The loss does not depend on these parameters, or they are frozen: in a training they would stay as they are. All else that is said of the run is said of the tensors that it has.</source>
        <translation>损失不依赖这些参数，或它们被冻结：训练中它们会保持不变。关于该运行的其他结论仅针对它所拥有的张量。</translation>
    </message>
    <message>
        <source>gradients that are missing</source>
        <translation>缺失的梯度</translation>
    </message>
    <message>
        <source>Missing gradients</source>
        <translation>缺失的梯度</translation>
    </message>
    <message>
        <source> at %1</source>
        <translation>，位于 %1</translation>
    </message>
    <message>
        <source>%1: %2 (nothing but finite%3)</source>
        <translation>%1: %2（全部有限%3）</translation>
    </message>
    <message>
        <source>%1: %2 (not finite%3: %4, was %5)</source>
        <translation>%1: %2（非有限%3：%4，原为 %5）</translation>
    </message>
    <message>
        <source>%1: %2 (%3%4)</source>
        <translation>%1: %2（%3%4）</translation>
    </message>
    <message>
        <source>%1 has no gradient</source>
        <translation>%1 没有梯度</translation>
    </message>
    <message>
        <source>nowhere beyond the noise floor</source>
        <translation>均未超出噪声基底</translation>
    </message>
    <message>
        <source>%1, 0 in the reference (%2 → %3 %)</source>
        <translation>%1，参考中为 0（%2 → %3 %）</translation>
    </message>
    <message>
        <source>stays below %1</source>
        <translation>保持在 %1 以下</translation>
    </message>
    <message>
        <source>it failed: %1</source>
        <translation>失败：%1</translation>
    </message>
    <message>
        <source>%1: %2; %3 of %4 tensors hold NaN or infinity</source>
        <translation>%1：%2；%4 个张量中有 %3 个含有 NaN 或无穷</translation>
    </message>
    <message>
        <source>No activation and no gradient of one makes an error of its own. This is the first gradient of a parameter, or what an optimizer makes of it, whose error is more than %1 times what they carry: eight times the largest error among them, since sums over all tokens cancel. Here %2 against %3, with the unit round-off of %4. Later tensors that exceed it as well: %5.</source>
        <translation>没有任何激活或激活的梯度产生自身的误差。这是第一个误差超过它们所传入误差 %1 倍的参数梯度（或优化器由其得到的量）：传入误差取其中最大误差的八倍，因为对所有 token 求和会相互抵消。此处为 %2，预期为 %3，使用 %4 的单位舍入误差。其后同样超过该值的张量数：%5。</translation>
    </message>
    <message>
        <source>the formats of the baseline at %1</source>
        <translation>%1 处采用基线的格式</translation>
    </message>
    <message>
        <source>With %1 alone every element of all %2 tensors is bit-equal to %3 (proved by run &apos;%4&apos;).</source>
        <translation>仅改为 %1，全部 %2 个张量的每个元素都与 %3 逐位相等（由运行“%4”证明）。</translation>
    </message>
    <message>
        <source>No single change makes all tensors equal; most of them are with %1 (%2 of %3).</source>
        <translation>没有任何单一改动能使所有张量相等；改为 %1 时相等的最多（%2 / %3）。</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>First divergence at %2, made by another operation: %3 in the reference, %4 here. The error is %5 (%1)</source>
        <translation>首次偏离位于 %2，由另一个操作产生：参考中为 %3，此处为 %4。误差为 %5（%1）</translation>
    </message>
    <message>
        <source>First divergence at %2, since %5 chose other experts for %6 of the tokens: %3 where %4 came in (%1)</source>
        <translation>首次偏离位于 %2，因为 %5 为 %6 的 token 选择了其他专家：输入误差 %4，此处为 %3（%1）</translation>
    </message>
    <message>
        <source>flipped tokens</source>
        <translation>改选专家的 token</translation>
    </message>
    <message>
        <source>Gradients of %1 are below the normal numbers of %2, and wrong: at %3, of RMS %4, the error is %5; tensors of this kind: %6. Rounding them explains less, so that a loss scale may not help</source>
        <translation>%1 的梯度低于 %2 的正规数，且有误：在 %3 处，RMS 为 %4，误差为 %5；此类张量：%6 个。对它们的舍入解释不了这么大的误差，因此损失缩放可能没有帮助</translation>
    </message>
    <message>
        <source>Gradients whose RMS, times the run&apos;s loss scale, is below the smallest normal number of %1 (%2) and whose error is at least %3. Numbers there are %4 apart, and the RMS of the difference is more than %5 times that: the error comes from what the gradients were made of, such as probabilities that the forward pass rounded to 0, or from gradients that were not kept. A run with a gradient.scale tells these apart.</source>
        <translation>RMS 乘以该运行的损失缩放后低于 %1 的最小正规数（%2）且误差至少为 %3 的梯度。那里的数间隔为 %4，而差值的 RMS 超过其 %5 倍：误差来自构成这些梯度的量，例如前向传播中舍入为 0 的概率，或来自未保留的梯度。设置 gradient.scale 的运行可以区分二者。</translation>
    </message>
    <message>
        <source>Gradients whose RMS, times the run&apos;s loss scale, is below the smallest normal number of %1 (%2), whose error is at least %3 and no larger than rounding explains: below it digits are lost, and what is smaller still becomes 0. A loss scale multiplies all gradients, which are divided by it before the step. It is the power of two that lifts numbers %4 times smaller than the smallest of these RMS to normal ones, unless %5 times the largest gradient that the report knows would then exceed %6.</source>
        <translation>RMS 乘以该运行的损失缩放后低于 %1 的最小正规数（%2）、误差至少为 %3 且不大于舍入所能解释的梯度：低于该数会丢失数位，更小的数变为 0。损失缩放将所有梯度相乘，在更新之前再除回。它是 2 的幂，可将比这些 RMS 中最小者还小 %4 倍的数提升为正规数，除非报告已知的最大梯度的 %5 倍会因此超过 %6。</translation>
    </message>
    <message>
        <source>not known: the reference itself is not finite from %1 on</source>
        <translation>未知：参考本身从 %1 起就不是有限值</translation>
    </message>
    <message>
        <source>%1, made by another operation (%2 %)</source>
        <translation>%1，由另一个操作产生（%2 %）</translation>
    </message>
    <message>
        <source>%1, where %2 chose other experts (%3 → %4 %)</source>
        <translation>%1，其中 %2 选择了其他专家（%3 → %4 %）</translation>
    </message>
    <message>
        <source>%1; not judged from %2 on</source>
        <translation>%1；从 %2 起不作判断</translation>
    </message>
    <message>
        <source>not judged from %1 on</source>
        <translation>从 %1 起不作判断</translation>
    </message>
    <message>
        <source>Not finite from %1 on, which %2 reads and nothing recorded made</source>
        <translation>从 %1 起非有限；%2 读取它，而记录中没有任何调用产生它</translation>
    </message>
    <message>
        <source>every number that was compared equals the baseline&apos;s</source>
        <translation>所有比较过的数值与基线相等</translation>
    </message>
    <message>
        <source>the candidate ran the same forward call and has no %1</source>
        <translation>候选执行了相同的前向调用，却没有 %1</translation>
    </message>
    <message>
        <source>the baseline ran the same forward call and has no %1</source>
        <translation>基线执行了相同的前向调用，却没有 %1</translation>
    </message>
    <message>
        <source>of other calls of the same class both sides have it</source>
        <translation>同一类的其他调用两侧都有</translation>
    </message>
    <message>
        <source>there is no other call of its class to compare with</source>
        <translation>没有同类的其他调用可供比较</translation>
    </message>
    <message>
        <source>%1 is not equal on all ranks of the baseline: %2</source>
        <translation>%1 在基线的各 rank 上不相等：%2</translation>
    </message>
    <message>
        <source>%1 is not equal on all ranks of the candidate: %2</source>
        <translation>%1 在候选的各 rank 上不相等：%2</translation>
    </message>
    <message>
        <source>the ranks have other gradients alike, as a sum over them makes them</source>
        <translation>各 rank 的其他梯度相同，正如求和之后应有的那样</translation>
    </message>
    <message>
        <source>Not compared: %1</source>
        <translation>未比较：%1</translation>
    </message>
    <message>
        <source>Neither elements nor statistics nor checksums are on both sides.</source>
        <translation>两侧没有共同的元素、统计量或校验和。</translation>
    </message>
    <message>
        <source>Not readable: %1</source>
        <translation>无法读取：%1</translation>
    </message>
    <message>
        <source>tensors that were not compared</source>
        <translation>未比较的张量</translation>
    </message>
    <message>
        <source>gradients of the candidate are those of a loss times %1: the baseline&apos;s are compared times %1; &apos;loss_scale&apos; of the mapping can say otherwise</source>
        <translation>候选的梯度是损失乘以 %1 所得：基线的梯度乘以 %1 后比较；映射的“loss_scale”可另行指定</translation>
    </message>
    <message>
        <source>gradients of the baseline are those of a loss times %1: the candidate&apos;s are compared times %1; &apos;loss_scale&apos; of the mapping can say otherwise</source>
        <translation>基线的梯度是损失乘以 %1 所得：候选的梯度乘以 %1 后比较；映射的“loss_scale”可另行指定</translation>
    </message>
    <message>
        <source>its input %1 is of shape %2 instead of %3, and nothing recorded has made it</source>
        <translation>其输入 %1 的形状为 %2 而非 %3，且没有任何所记录的调用生成它</translation>
    </message>
    <message>
        <source>%1; tensors before it are of other shapes, so that what came in was not compared</source>
        <translation>%1；其之前的张量形状不同，因此传入的内容未作比较</translation>
    </message>
    <message>
        <source>rounding changes no shape</source>
        <translation>舍入不会改变形状</translation>
    </message>
</context>
<context>
    <name>ulp::app::BaselineBox</name>
    <message>
        <source>Baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>The run that all others are compared with (B makes it the selected variant)</source>
        <translation>其他所有运行与之比较的运行（按 B 设为所选变体）</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>ulp::app::Breadcrumbs</name>
    <message>
        <source>Selection</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Baseline; back to the reference</source>
        <translation>基线；返回参考</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>传播方向</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Layer; up to its output</source>
        <translation>层；上至其输出</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Element; back to the tensor</source>
        <translation>元素；返回张量</translation>
    </message>
</context>
<context>
    <name>ulp::app::CandidatesPane</name>
    <message>
        <source>&amp;Add another</source>
        <translation>再添加一个(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <source>Candidates</source>
        <translation>候选</translation>
    </message>
    <message>
        <source>Compare one more dump with the baseline</source>
        <translation>再将一个转储与基线比较</translation>
    </message>
    <message>
        <source>Do not compare the selected candidate</source>
        <translation>不比较所选的候选</translation>
    </message>
    <message>
        <source>Nothing chosen yet.</source>
        <translation>尚未选择。</translation>
    </message>
</context>
<context>
    <name>ulp::app::CloseQuestion</name>
    <message>
        <source>Stop it and quit</source>
        <translation>停止并退出</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Discard edits and quit</source>
        <translation>放弃修改并退出</translation>
    </message>
    <message>
        <source>Dumps are being compared. What is finished of that is lost.</source>
        <translation>正在比较转储。已完成的部分将会丢失。</translation>
    </message>
    <message numerus="yes">
        <source>%n comparison(s) of dumps will not be made.</source>
        <translation>
            <numerusform>将不再进行 %n 个转储比较。</numerusform>
        </translation>
    </message>
    <message>
        <source>A study is running. What it has finished stays in its run folder.</source>
        <translation>有实验正在运行。已完成的部分会保留在其运行文件夹中。</translation>
    </message>
    <message numerus="yes">
        <source>%n study(s) in the queue will not be run.</source>
        <translation>
            <numerusform>队列中的 %n 个实验将不会运行。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n study(s) in the queue will wait for the next start.</source>
        <translation>
            <numerusform>队列中的 %n 个实验将等到下次启动。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 has edits that are not saved.</source>
        <translation>%1 有未保存的修改。</translation>
    </message>
    <message>
        <source>The new study</source>
        <translation>新实验</translation>
    </message>
    <message>
        <source>A mapping was changed and neither applied nor saved.</source>
        <translation>有映射已更改，但既未应用也未保存。</translation>
    </message>
    <message>
        <source>Quit Ulpscope</source>
        <translation>退出 Ulpscope</translation>
    </message>
    <message>
        <source>Files are being written. What is unfinished of them is lost.</source>
        <translation>正在写入文件。未完成的部分将丢失。</translation>
    </message>
    <message>
        <source>Save and quit</source>
        <translation>保存并退出</translation>
    </message>
</context>
<context>
    <name>ulp::app::CompareAsDialog</name>
    <message>
        <source>Write a &amp;spreadsheet (.xlsx)</source>
        <translation>写成电子表格(.xlsx)(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Pair calls in order, whatever their numbers</source>
        <translation>按顺序配对调用，不论编号(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Highlight</source>
        <translation>突出显示(&amp;H)</translation>
    </message>
    <message>
        <source>Compare as another tool</source>
        <translation>按其他工具的方式比较</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Whose files are written, cell by cell as it would</source>
        <translation>写出该工具的文件，逐单元格一致</translation>
    </message>
    <message>
        <source>&amp;Tool</source>
        <translation>工具(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>比较(&amp;C)</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>&amp;Golden side</source>
        <translation>标杆侧(&amp;G)</translation>
    </message>
    <message>
        <source>Path of the golden side</source>
        <translation>标杆侧的路径</translation>
    </message>
    <message>
        <source>A dump; or a compare.json of msprobe 8.x for both</source>
        <translation>一个转储；或 msprobe 8.x 的 compare.json，代表两侧</translation>
    </message>
    <message>
        <source>&amp;Under test</source>
        <translation>被测侧(&amp;U)</translation>
    </message>
    <message>
        <source>Path of the side under test</source>
        <translation>被测侧的路径</translation>
    </message>
    <message>
        <source>The dump that is compared with it</source>
        <translation>与之比较的转储</translation>
    </message>
    <message>
        <source>Folder of the results</source>
        <translation>结果文件夹</translation>
    </message>
    <message>
        <source>Choose a folder for the results</source>
        <translation>选择存放结果的文件夹</translation>
    </message>
    <message>
        <source>Made where it is missing; nothing in it is replaced</source>
        <translation>不存在时创建；其中的内容不会被替换</translation>
    </message>
    <message>
        <source>&amp;Write to</source>
        <translation>写入到(&amp;W)</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Choose a mapping file</source>
        <translation>选择映射文件</translation>
    </message>
    <message>
        <source>Mappings (*.yaml *.yml *.json)</source>
        <translation>映射 (*.yaml *.yml *.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Data mapping</source>
        <translation>数据映射</translation>
    </message>
    <message>
        <source>Cell mapping</source>
        <translation>Cell 映射</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>&amp;Data mapping</source>
        <translation>数据映射(&amp;D)</translation>
    </message>
    <message>
        <source>C&amp;ell mapping</source>
        <translation>Cell 映射(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Level</source>
        <translation>级别(&amp;L)</translation>
    </message>
    <message>
        <source>as usual</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>The tool&apos;s %1</source>
        <translation>该工具的 %1</translation>
    </message>
</context>
<context>
    <name>ulp::app::CompareDumpsDialog</name>
    <message>
        <source>Compare &amp;elements where both dumps hold them</source>
        <translation>两侧转储都有元素时比较元素(&amp;E)</translation>
    </message>
    <message>
        <source>Compare dumps</source>
        <translation>比较转储</translation>
    </message>
    <message>
        <source>S&amp;wap</source>
        <translation>交换(&amp;W)</translation>
    </message>
    <message>
        <source>Make the candidate the baseline and the baseline the candidate</source>
        <translation>将候选与基线互换</translation>
    </message>
    <message>
        <source>Off: compare recorded statistics and checksums alone, which reads no file of tensors</source>
        <translation>关闭：只比较所记录的统计量与校验和，不读取任何张量文件</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>比较(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Mapping</source>
        <translation>映射(&amp;M)</translation>
    </message>
    <message>
        <source>None: names and places in the module tree decide</source>
        <translation>无：由名称及其在模块树中的位置决定</translation>
    </message>
    <message>
        <source>Mapping file</source>
        <translation>映射文件</translation>
    </message>
    <message>
        <source>How names of the candidate read in those of the baseline (compare --map)</source>
        <translation>候选的名称如何对应基线的名称（compare --map）</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Choose a mapping file</source>
        <translation>选择映射文件</translation>
    </message>
    <message>
        <source>Mappings (*.yaml *.yml)</source>
        <translation>映射 (*.yaml *.yml)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>A mapping says how names of the candidate read in those of the baseline. This one was chosen before the sides were swapped.</source>
        <translation>映射说明候选侧的名称在基线侧如何书写。此映射是在交换两侧之前选择的。</translation>
    </message>
    <message>
        <source>&amp;Pair calls in order, whatever their numbers</source>
        <translation>按顺序配对调用，不论编号(&amp;P)</translation>
    </message>
    <message>
        <source>For dumps that count the calls of an operation differently</source>
        <translation>适用于对同一操作的调用计数不同的转储</translation>
    </message>
</context>
<context>
    <name>ulp::app::DockTitle</name>
    <message>
        <source>Copy, export, show as table</source>
        <translation>复制、导出、显示为表格</translation>
    </message>
    <message>
        <source>Copy and export</source>
        <translation>复制和导出</translation>
    </message>
    <message>
        <source>Lock: stay with the report and selection that are shown now</source>
        <translation>锁定：保持当前显示的报告和选择</translation>
    </message>
    <message>
        <source>Lock view</source>
        <translation>锁定视图</translation>
    </message>
    <message>
        <source>Link zoom</source>
        <translation>联动缩放</translation>
    </message>
    <message>
        <source>Link zoom: zoom, pan and cursors follow those of the other linked tabs of this view</source>
        <translation>联动缩放：缩放、平移和光标跟随此视图的其他已联动标签页</translation>
    </message>
    <message>
        <source>More controls</source>
        <translation>更多控件</translation>
    </message>
</context>
<context>
    <name>ulp::app::DropOverlay</name>
    <message>
        <source>Drop files</source>
        <translation>放下文件</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Open the study in the editor</source>
        <translation>在编辑器中打开实验</translation>
    </message>
    <message>
        <source>Add to the queue</source>
        <translation>加入队列</translation>
    </message>
    <message>
        <source>Run it after the studies that are waiting</source>
        <translation>在等待中的实验之后运行</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>In place of what is open</source>
        <translation>替换当前打开的内容</translation>
    </message>
    <message>
        <source>Compare with what is open</source>
        <translation>与当前打开的内容比较</translation>
    </message>
    <message>
        <source>Run folders, reports, studies, and dumps; two dumps are compared</source>
        <translation>运行文件夹、报告、研究和转储；两个转储会进行比较</translation>
    </message>
    <message>
        <source>Add its runs to those that are open; of a dump, compare it</source>
        <translation>将其运行加入已打开的运行；若为转储，则进行比较</translation>
    </message>
</context>
<context>
    <name>ulp::app::DumpSidePane</name>
    <message>
        <source>Baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>Candidate</source>
        <translation>候选</translation>
    </message>
    <message>
        <source>A dump: folder or file; FOLDER#RUN for a run</source>
        <translation>转储：文件夹或文件；某次运行写作 FOLDER#RUN</translation>
    </message>
    <message>
        <source>Path of the baseline</source>
        <translation>基线的路径</translation>
    </message>
    <message>
        <source>Path of the candidate</source>
        <translation>候选的路径</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Nothing chosen yet.</source>
        <translation>尚未选择。</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Compare these units of the dump alone</source>
        <translation>只比较转储中的这些单元</translation>
    </message>
    <message>
        <source>Choose a dump</source>
        <translation>选择转储</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查看…</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n unit(s)</source>
        <translation>
            <numerusform>%1，%n 个单元</numerusform>
        </translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Path of the source</source>
        <translation>来源的路径</translation>
    </message>
    <message>
        <source>What %1 or Ulpscope recorded, or files of tensors (.pt, .npy, .safetensors, .h5); recognised by content. Files of elements without a header: FILE:TYPE[SHAPE]@OFFSET, as in a.bin:float32[4,-1]@64</source>
        <translation>%1 或 Ulpscope 记录的内容，或张量文件（.pt、.npy、.safetensors、.h5）；按内容识别。没有文件头的元素文件：FILE:TYPE[SHAPE]@OFFSET，例如 a.bin:float32[4,-1]@64</translation>
    </message>
    <message>
        <source>These units of the dump alone</source>
        <translation>仅转储的这些单元</translation>
    </message>
</context>
<context>
    <name>ulp::app::EngineDialog</name>
    <message>
        <source>Devices and models</source>
        <translation>设备和模型</translation>
    </message>
    <message>
        <source>Asking the engine…</source>
        <translation>正在询问引擎…</translation>
    </message>
    <message>
        <source>%1 cannot be started: %2</source>
        <translation>无法启动 %1：%2</translation>
    </message>
</context>
<context>
    <name>ulp::app::ExportDumps</name>
    <message>
        <source>Wrote to %1: %2.</source>
        <translation>已写入 %1：%2。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message numerus="yes">
        <source>Wrote %1: %n tensor(s), %2.</source>
        <translation>
            <numerusform>已写入 %1：%n 个张量，%2。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ulp::app::ExportReport</name>
    <message>
        <source>Web page with charts</source>
        <translation>含图表的网页</translation>
    </message>
    <message>
        <source>PDF with charts, for printing</source>
        <translation>含图表的 PDF（用于打印）</translation>
    </message>
    <message>
        <source>Export report</source>
        <translation>导出报告</translation>
    </message>
</context>
<context>
    <name>ulp::app::ExportTensorsDialog</name>
    <message>
        <source>&amp;Statistics in place of the elements</source>
        <translation>以统计量代替元素(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Replace an earlier export</source>
        <translation>替换先前的导出(&amp;R)</translation>
    </message>
    <message>
        <source>Export tensors</source>
        <translation>导出张量</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>导出(&amp;E)</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Names that match</source>
        <translation>匹配的名称</translation>
    </message>
    <message>
        <source>All tensors</source>
        <translation>所有张量</translation>
    </message>
    <message>
        <source>Only tensors in whose name this regular expression is found, as in layers\.3\.</source>
        <translation>仅限名称中能找到此正则表达式的张量，例如 layers\.3\.</translation>
    </message>
    <message>
        <source>Maximum, minimum, mean and norm alone, in msprobe&apos;s format</source>
        <translation>仅最大值、最小值、均值和范数，采用 msprobe 的格式</translation>
    </message>
    <message>
        <source>Largest file</source>
        <translation>最大文件</translation>
    </message>
    <message>
        <source>Where a file of a folder ends and the next one begins, in safetensors</source>
        <translation>在 safetensors 中，文件夹里一个文件结束、下一个开始的大小</translation>
    </message>
    <message>
        <source> GB</source>
        <translation> GB</translation>
    </message>
    <message>
        <source>as usual (5 GB)</source>
        <translation>默认（5 GB）</translation>
    </message>
    <message>
        <source>&amp;Format</source>
        <translation>格式(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Names that match</source>
        <translation>匹配的名称(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Largest file</source>
        <translation>最大文件(&amp;L)</translation>
    </message>
    <message>
        <source>Folder or file to write</source>
        <translation>要写入的文件夹或文件</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Choose a folder or file to write</source>
        <translation>选择要写入的文件夹或文件</translation>
    </message>
    <message>
        <source>A folder; or a file of the format, such as layer3.safetensors, for one run or step</source>
        <translation>一个文件夹；或该格式的一个文件，如 layer3.safetensors，对应一次运行或一步</translation>
    </message>
    <message>
        <source>Nothing else is ever replaced</source>
        <translation>其他内容绝不会被替换</translation>
    </message>
    <message>
        <source>&amp;Write to</source>
        <translation>写入到(&amp;W)</translation>
    </message>
    <message>
        <source>%1 exists already. Name another, or allow to replace it.</source>
        <translation>%1 已存在。请另取名称，或允许替换。</translation>
    </message>
</context>
<context>
    <name>ulp::app::FileCommands</name>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open a report or a study</source>
        <translation>打开报告或实验</translation>
    </message>
    <message>
        <source>Open &amp;folder…</source>
        <translation>打开文件夹(&amp;F)…</translation>
    </message>
    <message>
        <source>Open the folder of a run</source>
        <translation>打开运行文件夹</translation>
    </message>
    <message>
        <source>&amp;New study</source>
        <translation>新建实验(&amp;N)</translation>
    </message>
    <message>
        <source>Make a study from the template</source>
        <translation>从模板新建实验</translation>
    </message>
    <message>
        <source>&amp;Save study</source>
        <translation>保存实验(&amp;S)</translation>
    </message>
    <message>
        <source>Save the open study</source>
        <translation>保存打开的实验</translation>
    </message>
    <message>
        <source>Save study &amp;as…</source>
        <translation>实验另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Save the open study under another name</source>
        <translation>以其他名称保存打开的实验</translation>
    </message>
    <message>
        <source>&amp;Reload report</source>
        <translation>重新加载报告(&amp;R)</translation>
    </message>
    <message>
        <source>Read the open report again</source>
        <translation>重新读取打开的报告</translation>
    </message>
    <message>
        <source>&amp;Export report…</source>
        <translation>导出报告(&amp;E)…</translation>
    </message>
    <message>
        <source>Write the open report as web page, PDF or tables</source>
        <translation>将打开的报告写成网页、PDF 或表格</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>关闭窗口</translation>
    </message>
    <message>
        <source>Compare &amp;dumps…</source>
        <translation>比较转储(&amp;D)…</translation>
    </message>
    <message>
        <source>Compare what two runs recorded: %1, or any tensors</source>
        <translation>比较两次运行所记录的内容：%1 或任意张量</translation>
    </message>
    <message>
        <source>Save co&amp;mparison as…</source>
        <translation>将比较另存为(&amp;M)…</translation>
    </message>
    <message>
        <source>Write the comparison of two dumps as a report folder</source>
        <translation>将两个转储的比较写成报告文件夹</translation>
    </message>
    <message>
        <source>&amp;Add a report to compare…</source>
        <translation>添加对比报告(&amp;A)…</translation>
    </message>
    <message>
        <source>Compare the runs of another report with those that are open</source>
        <translation>将另一份报告的运行与已打开的运行进行比较</translation>
    </message>
    <message>
        <source>Edit the &amp;mapping of names…</source>
        <translation>编辑名称映射(&amp;M)…</translation>
    </message>
    <message>
        <source>Match the names of the two dumps that are compared</source>
        <translation>匹配所比较的两个转储中的名称</translation>
    </message>
    <message>
        <source>Add &amp;studies to the queue…</source>
        <translation>将实验加入队列(&amp;S)…</translation>
    </message>
    <message>
        <source>Choose study files; they run one after the other</source>
        <translation>选择实验文件，它们会依次运行</translation>
    </message>
    <message>
        <source>Reports and studies (*.json *.yaml *.yml)</source>
        <translation>报告和实验 (*.json *.yaml *.yml)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Add a report to compare</source>
        <translation>添加要比较的报告</translation>
    </message>
    <message>
        <source>Reports (*.json)</source>
        <translation>报告 (*.json)</translation>
    </message>
    <message>
        <source>Add studies to the queue</source>
        <translation>将实验加入队列</translation>
    </message>
    <message>
        <source>Studies (*.yaml *.yml)</source>
        <translation>实验 (*.yaml *.yml)</translation>
    </message>
    <message>
        <source>Save the study</source>
        <translation>保存实验</translation>
    </message>
    <message>
        <source>Save the comparison as a folder</source>
        <translation>将比较保存为文件夹</translation>
    </message>
    <message>
        <source>%1 (missing)</source>
        <translation>%1（不存在）</translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation>暂无</translation>
    </message>
    <message>
        <source>%1 (not saved)</source>
        <translation>%1（未保存）</translation>
    </message>
    <message>
        <source>Save the comparisons in a folder</source>
        <translation>将各个比较保存到文件夹中</translation>
    </message>
    <message>
        <source>E&amp;xport tensors…</source>
        <translation>导出张量(&amp;X)…</translation>
    </message>
    <message>
        <source>Write the tensors of a run, a dump or a file for other tools</source>
        <translation>将一次运行、转储或文件的张量写给其他工具</translation>
    </message>
    <message>
        <source>Compare as another too&amp;l…</source>
        <translation>按其他工具的方式比较(&amp;L)…</translation>
    </message>
    <message>
        <source>Write the files that msprobe or msit would, cell by cell</source>
        <translation>写出 msprobe 或 msit 会写的文件，逐单元格一致</translation>
    </message>
    <message>
        <source>&amp;Tokenize a text…</source>
        <translation>文本分词(&amp;T)…</translation>
    </message>
    <message>
        <source>Show the tokens that a model&apos;s tokenizer makes of a text</source>
        <translation>显示模型的分词器由文本得到的 token</translation>
    </message>
    <message>
        <source>&amp;Devices and models…</source>
        <translation>设备和模型(&amp;D)…</translation>
    </message>
    <message>
        <source>Show on which devices studies can run, and which models</source>
        <translation>显示研究可以在哪些设备上运行，以及哪些模型</translation>
    </message>
    <message>
        <source>Record a pro&amp;gram…</source>
        <translation>记录程序(&amp;G)…</translation>
    </message>
    <message>
        <source>Run a PyTorch program as it is, and open what it computes</source>
        <translation>原样运行一个 PyTorch 程序，并打开其计算内容</translation>
    </message>
    <message>
        <source>Open loca&amp;tion…</source>
        <translation>打开地址(&amp;T)…</translation>
    </message>
    <message>
        <source>Open a report or a dump on another machine: ssh://host/path</source>
        <translation>打开另一台机器上的报告或转储：ssh://主机/路径</translation>
    </message>
    <message>
        <source>Fetching %1. The tensors of a report stay where they are until they are looked at.</source>
        <translation>正在获取 %1。报告的张量留在原处，查看时才读取。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Open location</source>
        <translation>打开地址</translation>
    </message>
    <message>
        <source>A report, the folder of a run or a dump on another machine, which ssh reaches:</source>
        <translation>另一台可通过 ssh 访问的机器上的报告、运行文件夹或转储：</translation>
    </message>
    <message>
        <source>Submit to Sl&amp;urm…</source>
        <translation>提交到 Slurm(&amp;U)…</translation>
    </message>
    <message>
        <source>Run the open study on a cluster, as tasks of a job array</source>
        <translation>在集群上以作业数组的任务运行打开的研究</translation>
    </message>
    <message>
        <source>Open &amp;pasted location</source>
        <translation>打开复制的位置(&amp;P)</translation>
    </message>
    <message>
        <source>Open the ssh://host/path that was copied</source>
        <translation>打开复制的地址 ssh://host/path</translation>
    </message>
    <message>
        <source>Nothing that could be opened was copied. Copy an address, ssh://host/path, or files of the file manager.</source>
        <translation>复制的内容无法打开。请复制一个地址（ssh://host/path）或文件管理器中的文件。</translation>
    </message>
</context>
<context>
    <name>ulp::app::HelpWindow</name>
    <message>
        <source>Search the help</source>
        <translation>搜索帮助</translation>
    </message>
    <message>
        <source>&amp;Open in the browser</source>
        <translation>在浏览器中打开(&amp;O)</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>%1 is not part of this help.</source>
        <translation>%1 不属于本帮助。</translation>
    </message>
    <message>
        <source>%1, outside of this help</source>
        <translation>%1，在本帮助之外</translation>
    </message>
    <message>
        <source>This help has no place %1. It may be a file of Ulpscope&apos;s sources.</source>
        <translation>本帮助中没有 %1。它可能是 Ulpscope 源代码中的文件。</translation>
    </message>
    <message>
        <source>Next: %1</source>
        <translation>下一页：%1</translation>
    </message>
    <message>
        <source>%1 – Help</source>
        <translation>%1 – 帮助</translation>
    </message>
    <message>
        <source>%1, continued</source>
        <translation>%1（续）</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>指南</translation>
    </message>
    <message>
        <source>File formats</source>
        <translation>文件格式</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>参考手册</translation>
    </message>
    <message>
        <source>No page has all of these words.</source>
        <translation>没有页面包含所有这些词。</translation>
    </message>
    <message>
        <source>Pages found: %1</source>
        <translation>找到的页面：%1</translation>
    </message>
</context>
<context>
    <name>ulp::app::HostDialog</name>
    <message>
        <source>&amp;Copy Ulpscope there where it is missing</source>
        <translation>若那里没有 Ulpscope，则复制过去(&amp;C)</translation>
    </message>
    <message>
        <source>Run on another machine</source>
        <translation>在另一台机器上运行</translation>
    </message>
    <message>
        <source>&amp;Machine, as ssh knows it:</source>
        <translation>机器，按 ssh 的名称(&amp;M)：</translation>
    </message>
    <message>
        <source>Machine, as ssh knows it</source>
        <translation>机器，按 ssh 的名称</translation>
    </message>
    <message>
        <source>Paths of the study are paths there. The study goes on when this window is closed or the connection is lost; its tensors stay there until they are looked at.</source>
        <translation>研究中的路径是那台机器上的路径。关闭此窗口或连接中断时，研究会继续运行；其张量留在那里，查看时才读取。</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
</context>
<context>
    <name>ulp::app::LastMessage</name>
    <message>
        <source>Show the last message again</source>
        <translation>再次显示最近的消息</translation>
    </message>
    <message>
        <source>Last message: %1</source>
        <translation>最近的消息：%1</translation>
    </message>
</context>
<context>
    <name>ulp::app::LastSession</name>
    <message>
        <source>session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>%1, which was open in the last session, is gone.</source>
        <translation>上次会话中打开的 %1 已不存在。</translation>
    </message>
    <message numerus="yes">
        <source>The queue is paused, with %n study(s) of the last session.</source>
        <translation>
            <numerusform>队列已暂停，其中有上次会话的 %n 个实验。</numerusform>
        </translation>
    </message>
    <message>
        <source>Run them</source>
        <translation>运行它们</translation>
    </message>
    <message>
        <source>%1: %2. The file is left as it is, and what is open here is not kept for the next start; use the newer version of Ulpscope, or move the file away.</source>
        <translation>%1：%2。该文件保持原样，此处打开的内容不会为下次启动保留；请使用较新版本的 Ulpscope，或将该文件移走。</translation>
    </message>
</context>
<context>
    <name>ulp::app::LayoutCommands</name>
    <message>
        <source>&amp;Configure</source>
        <translation>配置(&amp;C)</translation>
    </message>
    <message>
        <source>Layout for writing studies: editor, configurations and runs</source>
        <translation>编写研究的布局：编辑器、配置与运行</translation>
    </message>
    <message>
        <source>&amp;Analyse</source>
        <translation>分析(&amp;A)</translation>
    </message>
    <message>
        <source>Layout for reading reports: all views in their places</source>
        <translation>阅读报告的布局：所有视图各就其位</translation>
    </message>
    <message>
        <source>&amp;Inspect</source>
        <translation>检查(&amp;I)</translation>
    </message>
    <message>
        <source>Layout for single tensors: their elements and their numbers</source>
        <translation>查看单个张量的布局：元素与数值</translation>
    </message>
    <message>
        <source>&amp;Save layout as…</source>
        <translation>布局另存为(&amp;S)…</translation>
    </message>
    <message>
        <source>Give the places of all views a name, to come back to them</source>
        <translation>为所有视图的位置命名，以便日后恢复</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>删除(&amp;R)</translation>
    </message>
    <message>
        <source>Save layout</source>
        <translation>保存布局</translation>
    </message>
    <message>
        <source>Name of the layout. A layout of the same name is replaced.</source>
        <translation>布局名称。同名布局将被替换。</translation>
    </message>
</context>
<context>
    <name>ulp::app::MainWindow</name>
    <message>
        <source>New study</source>
        <translation>新建实验</translation>
    </message>
</context>
<context>
    <name>ulp::app::MetricBox</name>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Metric of all views</source>
        <translation>所有视图的指标</translation>
    </message>
</context>
<context>
    <name>ulp::app::PassBox</name>
    <message>
        <source>Pass</source>
        <translation>传播方向</translation>
    </message>
    <message>
        <source>Passes that the views show</source>
        <translation>各视图显示的传播方向</translation>
    </message>
    <message>
        <source>Forward and backward</source>
        <translation>前向和反向</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>Parameter gradients</source>
        <translation>参数梯度</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>All passes</source>
        <translation>所有传播方向</translation>
    </message>
    <message>
        <source>Charts by layer show forward and backward, tables everything</source>
        <translation>按层的图表显示前向和反向，表格显示全部</translation>
    </message>
</context>
<context>
    <name>ulp::app::RecordDialog</name>
    <message>
        <source>Record a program</source>
        <translation>记录程序</translation>
    </message>
    <message>
        <source>&amp;Record</source>
        <translation>记录(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>End the program; what was recorded until then is kept</source>
        <translation>结束程序；此前记录的内容会保留</translation>
    </message>
    <message>
        <source>Nothing recorded yet.</source>
        <translation>尚未记录任何内容。</translation>
    </message>
    <message>
        <source>Pro&amp;gram</source>
        <translation>程序(&amp;G)</translation>
    </message>
    <message>
        <source>python train.py --lr 1e-4; or torchrun …</source>
        <translation>python train.py --lr 1e-4；或 torchrun …</translation>
    </message>
    <message>
        <source>Write &amp;to</source>
        <translation>写入到(&amp;T)</translation>
    </message>
    <message>
        <source>Folder of the recording</source>
        <translation>记录的文件夹</translation>
    </message>
    <message>
        <source>A folder without a recording; made where it is missing</source>
        <translation>不含记录的文件夹；不存在时会创建</translation>
    </message>
    <message>
        <source>Choose a folder for the recording</source>
        <translation>选择用于记录的文件夹</translation>
    </message>
    <message>
        <source>&amp;Level</source>
        <translation>级别(&amp;L)</translation>
    </message>
    <message>
        <source>modules (L0), or as configured</source>
        <translation>模块 (L0)，或按配置</translation>
    </message>
    <message>
        <source>modules (L0)</source>
        <translation>模块 (L0)</translation>
    </message>
    <message>
        <source>calls of torch&apos;s functions (L1)</source>
        <translation>torch 函数的调用 (L1)</translation>
    </message>
    <message>
        <source>both (mix)</source>
        <translation>两者 (mix)</translation>
    </message>
    <message>
        <source>&amp;Keep</source>
        <translation>保留(&amp;K)</translation>
    </message>
    <message>
        <source>elements, or as configured</source>
        <translation>元素，或按配置</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>statistics alone</source>
        <translation>仅统计量</translation>
    </message>
    <message>
        <source>statistics and checksums</source>
        <translation>统计量和校验和</translation>
    </message>
    <message>
        <source>&amp;Of every call</source>
        <translation>每次调用的(&amp;O)</translation>
    </message>
    <message>
        <source>everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>what goes forward</source>
        <translation>前向内容</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>what it reads</source>
        <translation>读取的内容</translation>
    </message>
    <message>
        <source>what it makes</source>
        <translation>产生的内容</translation>
    </message>
    <message>
        <source>St&amp;eps</source>
        <translation>步(&amp;E)</translation>
    </message>
    <message>
        <source>All; or 0,2-5</source>
        <translation>全部；或 0,2-5</translation>
    </message>
    <message>
        <source>A step e&amp;nds</source>
        <translation>一步结束于(&amp;N)</translation>
    </message>
    <message>
        <source>found by itself</source>
        <translation>自动识别</translation>
    </message>
    <message>
        <source>with the optimizer&apos;s step</source>
        <translation>优化器的 step</translation>
    </message>
    <message>
        <source>with each call of the model</source>
        <translation>每次模型调用</translation>
    </message>
    <message>
        <source>To&amp;kens</source>
        <translation>Token(&amp;K)</translation>
    </message>
    <message>
        <source>Of a model that generates: 0:3 are the first three</source>
        <translation>用于生成的模型：0:3 为前三个</translation>
    </message>
    <message>
        <source>R&amp;anks</source>
        <translation>Rank(&amp;A)</translation>
    </message>
    <message>
        <source>All; or 0,2-3</source>
        <translation>全部；或 0,2-3</translation>
    </message>
    <message>
        <source>&amp;Modules</source>
        <translation>模块(&amp;M)</translation>
    </message>
    <message>
        <source>All; or a regular expression</source>
        <translation>全部；或一个正则表达式</translation>
    </message>
    <message>
        <source>Calls &amp;with</source>
        <translation>包含以下内容的调用(&amp;W)</translation>
    </message>
    <message>
        <source>All; or parts of their names, with commas</source>
        <translation>全部；或名称的一部分，用逗号分隔</translation>
    </message>
    <message>
        <source>&amp;From, to</source>
        <translation>从，到(&amp;F)</translation>
    </message>
    <message>
        <source>Everything; or the first and the last call</source>
        <translation>全部；或第一个和最后一个调用</translation>
    </message>
    <message>
        <source>&amp;Configuration</source>
        <translation>配置(&amp;C)</translation>
    </message>
    <message>
        <source>Configuration of msprobe</source>
        <translation>msprobe 的配置</translation>
    </message>
    <message>
        <source>A config.json of msprobe; what stands above comes first</source>
        <translation>msprobe 的 config.json；以上填写的优先</translation>
    </message>
    <message>
        <source>Choose a configuration of msprobe</source>
        <translation>选择 msprobe 的配置</translation>
    </message>
    <message>
        <source>Configurations (*.json)</source>
        <translation>配置 (*.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Record from w&amp;here each call comes</source>
        <translation>记录每次调用的来源(&amp;H)</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Output of the program</source>
        <translation>程序的输出</translation>
    </message>
    <message>
        <source>What the program writes</source>
        <translation>程序写出的内容</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Waiting for the first call of a model; %1</source>
        <translation>等待模型的第一次调用；%1</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s), %1 tensors, %2; %3</source>
        <translation>
            <numerusform>%n 步，%1 个张量，%2；%3</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped before anything was recorded.</source>
        <translation>在记录任何内容之前已停止。</translation>
    </message>
    <message>
        <source>The program ended with exit code %1; what it recorded until then is open.</source>
        <translation>程序以退出码 %1 结束；此前记录的内容已打开。</translation>
    </message>
    <message numerus="yes">
        <source>Recorded %n step(s), %1 tensors, %2: %3</source>
        <translation>
            <numerusform>已记录 %n 步，%1 个张量，%2：%3</numerusform>
        </translation>
    </message>
    <message>
        <source>Record the &amp;parameters of modules, too</source>
        <translation>同时记录模块的参数(&amp;P)</translation>
    </message>
</context>
<context>
    <name>ulp::app::RecordJob</name>
    <message>
        <source>%1 cannot be started: %2</source>
        <translation>无法启动 %1：%2</translation>
    </message>
</context>
<context>
    <name>ulp::app::RecordingTools</name>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
</context>
<context>
    <name>ulp::app::RelationBox</name>
    <message>
        <source>Shown</source>
        <translation>显示内容</translation>
    </message>
    <message>
        <source>Error against it</source>
        <translation>相对基线的误差</translation>
    </message>
    <message>
        <source>Error less its error</source>
        <translation>误差减去基线误差</translation>
    </message>
    <message>
        <source>Error against the reference, less that of the baseline</source>
        <translation>相对参考的误差，减去基线的误差</translation>
    </message>
    <message>
        <source>Error ÷ its error</source>
        <translation>误差 ÷ 基线误差</translation>
    </message>
    <message>
        <source>Error against the reference as a multiple of that of the baseline</source>
        <translation>相对参考的误差，以基线误差的倍数表示</translation>
    </message>
    <message>
        <source>What is shown of a run, once a run other than the reference is the baseline</source>
        <translation>当基线不是参考时，每次运行显示的内容</translation>
    </message>
    <message>
        <source>Tensors of every run compared with those of the baseline; needs kept tensors, or dumps</source>
        <translation>将每次运行的张量与基线的张量比较；需要保留的张量或转储</translation>
    </message>
</context>
<context>
    <name>ulp::app::ReportPartPane</name>
    <message>
        <source>S&amp;ummary alone, without the tables of all tensors</source>
        <translation>仅摘要，不含所有张量的表格(&amp;U)</translation>
    </message>
    <message>
        <source>Nothing ticked: all</source>
        <translation>未勾选：全部</translation>
    </message>
    <message>
        <source>&amp;Passes</source>
        <translation>传播方向(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Metrics</source>
        <translation>指标(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Variants</source>
        <translation>变体(&amp;V)</translation>
    </message>
    <message>
        <source>What the &amp;rules say, with a verdict on every row</source>
        <translation>规则的判定，每行都附结论(&amp;R)</translation>
    </message>
    <message>
        <source>The view Rules chooses what is asked of this report</source>
        <translation>在“规则”视图中选择对此报告提出的要求</translation>
    </message>
</context>
<context>
    <name>ulp::app::Settings</name>
    <message>
        <source>Keyboard</source>
        <translation>键盘</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Files and session</source>
        <translation>文件与会话</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Colours of the window and of all charts.</source>
        <translation>窗口和所有图表的颜色。</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>In percent of the system&apos;s; everything else grows with the text.</source>
        <translation>相对于系统文字大小的百分比；其他内容随文字一同缩放。</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Holds from the next start on.</source>
        <translation>下次启动时生效。</translation>
    </message>
    <message>
        <source>Continue where I left off</source>
        <translation>从上次离开的地方继续</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>最近的文件</translation>
    </message>
    <message>
        <source>How many are listed; 0 remembers none.</source>
        <translation>列出的数量；0 表示不记录。</translation>
    </message>
    <message>
        <source>Keys of a single letter</source>
        <translation>单字母快捷键</translation>
    </message>
    <message>
        <source>L, N, ? and the like act while a chart or a table has the focus.</source>
        <translation>当图表或表格获得焦点时，L、N、? 等按键起作用。</translation>
    </message>
    <message>
        <source>Opens the report and the study of the last session when the program starts, and brings back the studies that waited in the queue.</source>
        <translation>程序启动时打开上次会话的报告和实验，并恢复队列中等待的实验。</translation>
    </message>
    <message>
        <source>Comparing dumps</source>
        <translation>比较转储</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>How many compare two dumps, or read one, from the next comparison on; 0 takes one for each core.</source>
        <translation>从下一次比较起，用多少线程比较两个转储或读取一个转储；0 表示每个核心一个。</translation>
    </message>
</context>
<context>
    <name>ulp::app::SshQuestion</name>
    <message>
        <source>ssh asks</source>
        <translation>ssh 询问</translation>
    </message>
    <message>
        <source>Compare the fingerprint with what the administrator of the machine says.</source>
        <translation>请将指纹与该计算机管理员提供的指纹进行核对。</translation>
    </message>
</context>
<context>
    <name>ulp::app::StartPage</name>
    <message>
        <source>Open a report…</source>
        <translation>打开报告…</translation>
    </message>
    <message>
        <source>A run folder, precision_report.json, or a study. Or drop it here.</source>
        <translation>运行文件夹、precision_report.json 或实验。也可以拖放到此处。</translation>
    </message>
    <message>
        <source>New study</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Choose a model and the precisions to compare.</source>
        <translation>选择模型和要比较的精度。</translation>
    </message>
    <message>
        <source>Example: SmolLM2-135M</source>
        <translation>示例：SmolLM2-135M</translation>
    </message>
    <message>
        <source>A real report, to look around in.</source>
        <translation>一份真实的报告，供您浏览。</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>Where does a language model lose its bits?</source>
        <translation>语言模型的精度在哪里丢失？</translation>
    </message>
    <message>
        <source>%1 (missing)</source>
        <translation>%1（不存在）</translation>
    </message>
    <message>
        <source>Compare two dumps…</source>
        <translation>比较两个转储…</translation>
    </message>
    <message>
        <source>Of %1, or files of tensors. Or drop both here.</source>
        <translation>来自 %1，或张量文件。也可将两者拖放到此处。</translation>
    </message>
    <message>
        <source>Record a program…</source>
        <translation>记录程序…</translation>
    </message>
    <message>
        <source>Run a PyTorch program as it is, and look at what it computes.</source>
        <translation>原样运行一个 PyTorch 程序，查看其计算内容。</translation>
    </message>
</context>
<context>
    <name>ulp::app::StatusLine</name>
    <message>
        <source>Progress of the run</source>
        <translation>运行进度</translation>
    </message>
    <message>
        <source>Opening…</source>
        <translation>正在打开…</translation>
    </message>
    <message>
        <source>%1 has finished.</source>
        <translation>%1 已完成。</translation>
    </message>
    <message>
        <source>%1 has failed.</source>
        <translation>%1 失败。</translation>
    </message>
    <message>
        <source>%1 was stopped.</source>
        <translation>%1 已停止。</translation>
    </message>
    <message>
        <source>Running %1</source>
        <translation>正在运行 %1</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation>%1 个等待中</translation>
    </message>
    <message>
        <source>Queue paused, %1 waiting</source>
        <translation>队列已暂停，%1 个等待中</translation>
    </message>
    <message>
        <source>Progress of the comparison</source>
        <translation>比较的进度</translation>
    </message>
    <message>
        <source>Comparing %1</source>
        <translation>正在比较 %1</translation>
    </message>
    <message>
        <source>Progress of the export</source>
        <translation>导出进度</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
</context>
<context>
    <name>ulp::app::SubmitDialog</name>
    <message>
        <source>Submit to Slurm</source>
        <translation>提交到 Slurm</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>&amp;Submit</source>
        <translation>提交(&amp;S)</translation>
    </message>
    <message>
        <source>Handing the study over…</source>
        <translation>正在提交研究…</translation>
    </message>
    <message>
        <source>Submitted: %1. The view Runs shows how its tasks stand.</source>
        <translation>已提交：%1。“运行”视图显示其任务的状态。</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>研究</translation>
    </message>
    <message>
        <source>&amp;Results</source>
        <translation>结果(&amp;R)</translation>
    </message>
    <message>
        <source>Folder that all nodes see; or as the study says</source>
        <translation>所有节点可见的文件夹；默认按研究设置</translation>
    </message>
    <message>
        <source>&amp;Partition</source>
        <translation>分区(&amp;P)</translation>
    </message>
    <message>
        <source>The cluster&apos;s default; sinfo lists them</source>
        <translation>集群默认值；sinfo 可列出</translation>
    </message>
    <message>
        <source>&amp;Time</source>
        <translation>时间(&amp;T)</translation>
    </message>
    <message>
        <source>Of a task; the partition&apos;s default, or 1:30:00</source>
        <translation>单个任务；分区默认值，或 1:30:00</translation>
    </message>
    <message>
        <source>&amp;GPUs</source>
        <translation>GPU 数(&amp;G)</translation>
    </message>
    <message>
        <source>Of a task; none, 1, or a100:1</source>
        <translation>单个任务；无、1 或 a100:1</translation>
    </message>
    <message>
        <source>T&amp;hreads</source>
        <translation>线程(&amp;H)</translation>
    </message>
    <message>
        <source>one a core</source>
        <translation>每个核心一个</translation>
    </message>
    <message>
        <source>Samples of a tas&amp;k</source>
        <translation>每个任务的样本数(&amp;K)</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>&amp;Further options</source>
        <translation>其他选项(&amp;F)</translation>
    </message>
    <message>
        <source>For sbatch: --account=me --mem=16G</source>
        <translation>用于 sbatch：--account=me --mem=16G</translation>
    </message>
    <message>
        <source>Run the reference &amp;once for all variants</source>
        <translation>所有变体共用一次参考运行(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Variants</source>
        <translation>变体(&amp;V)</translation>
    </message>
    <message>
        <source>All; or their names, those with spaces in quotes</source>
        <translation>全部；或变体名称，含空格的加引号</translation>
    </message>
    <message>
        <source>Other &amp;values</source>
        <translation>其他值(&amp;V)</translation>
    </message>
    <message>
        <source>As the study says; or KEY=VALUE, such as capture.level=layer input.seed=1</source>
        <translation>按研究所述；或 键=值，例如 capture.level=layer input.seed=1</translation>
    </message>
    <message>
        <source>&amp;Device</source>
        <translation>设备(&amp;D)</translation>
    </message>
    <message>
        <source>As the study says; or cpu, cuda</source>
        <translation>按研究所述；或 cpu、cuda</translation>
    </message>
</context>
<context>
    <name>ulp::app::TokenizeDialog</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>Choose a model or tokenizer file</source>
        <translation>选择模型或分词器文件</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>Choose the folder of a model</source>
        <translation>选择模型的文件夹</translation>
    </message>
    <message>
        <source>Tokenize a text</source>
        <translation>文本分词</translation>
    </message>
    <message>
        <source>Model folder, .gguf, hub ID, tokenizer.json or tokenizer.model</source>
        <translation>模型文件夹、.gguf、Hub ID、tokenizer.json 或 tokenizer.model</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>What is tokenised</source>
        <translation>要分词的内容</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Text</source>
        <translation>文本(&amp;T)</translation>
    </message>
    <message>
        <source>From a &amp;file…</source>
        <translation>来自文件(&amp;F)…</translation>
    </message>
    <message>
        <source>Take the text of a UTF-8 file</source>
        <translation>使用 UTF-8 文件的文本</translation>
    </message>
    <message>
        <source>T&amp;okenize</source>
        <translation>分词(&amp;O)</translation>
    </message>
    <message>
        <source>Choose a text file</source>
        <translation>选择文本文件</translation>
    </message>
    <message>
        <source>Nothing tokenised yet.</source>
        <translation>尚未分词。</translation>
    </message>
    <message>
        <source>Tokenising…</source>
        <translation>正在分词…</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n token(s)</source>
        <translation>
            <numerusform>%1：%n 个 token</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ulp::app::ViewDocks</name>
    <message>
        <source>&amp;Another tab of this view</source>
        <translation>此视图的另一个标签页(&amp;A)</translation>
    </message>
    <message>
        <source>Open a second tab of the current view, to lock it or to put it beside the first one</source>
        <translation>打开当前视图的第二个标签页，以便锁定或与第一个并排</translation>
    </message>
    <message>
        <source>Another tab &amp;beside it</source>
        <translation>在旁边再开一个标签页(&amp;B)</translation>
    </message>
    <message>
        <source>Open a second tab of the current view beside the first one, with linked zoom where it has any</source>
        <translation>在当前视图旁边打开其第二个标签页；可缩放的视图会联动缩放</translation>
    </message>
    <message>
        <source>Link &amp;zoom</source>
        <translation>联动缩放(&amp;Z)</translation>
    </message>
    <message>
        <source>Let the current tab and the other linked ones of its view zoom, pan and move their cursors together</source>
        <translation>让当前标签页与此视图的其他已联动标签页一起缩放、平移和移动光标</translation>
    </message>
    <message>
        <source>&amp;Lock or follow</source>
        <translation>锁定或跟随(&amp;L)</translation>
    </message>
    <message>
        <source>Let the current view stay with what it shows, or follow the selection again</source>
        <translation>使当前视图保持所显示的内容，或重新跟随选择</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
</context>
<context>
    <name>ulp::app::WindowCommands</name>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>Take back the last change of the study</source>
        <translation>撤销对实验的上一次更改</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Make the change again that was taken back</source>
        <translation>重新应用已撤销的更改</translation>
    </message>
    <message>
        <source>&amp;Undo %1</source>
        <translation>撤销%1(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo %1</source>
        <translation>重做%1(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Run study</source>
        <translation>运行实验(&amp;R)</translation>
    </message>
    <message>
        <source>Save and run the open study</source>
        <translation>保存并运行打开的实验</translation>
    </message>
    <message>
        <source>&amp;Pause the queue</source>
        <translation>暂停队列(&amp;P)</translation>
    </message>
    <message>
        <source>Start no further study; the one that runs goes on to its end</source>
        <translation>不再启动新的实验；正在运行的会运行到结束</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>Stop what is running; what is finished stays</source>
        <translation>停止正在运行的任务；已完成的部分会保留</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>后退(&amp;B)</translation>
    </message>
    <message>
        <source>Back to the previous selection</source>
        <translation>返回上一个选择</translation>
    </message>
    <message>
        <source>&amp;Forward</source>
        <translation>前进(&amp;F)</translation>
    </message>
    <message>
        <source>Forward to the next selection</source>
        <translation>前进到下一个选择</translation>
    </message>
    <message>
        <source>Next &amp;finding</source>
        <translation>下一项发现(&amp;F)</translation>
    </message>
    <message>
        <source>Select what the next finding is about</source>
        <translation>选择下一项发现所涉及的内容</translation>
    </message>
    <message>
        <source>Previous findin&amp;g</source>
        <translation>上一项发现(&amp;G)</translation>
    </message>
    <message>
        <source>Select what the previous finding is about</source>
        <translation>选择上一项发现所涉及的内容</translation>
    </message>
    <message>
        <source>Next &amp;non-finite tensor</source>
        <translation>下一个非有限张量(&amp;N)</translation>
    </message>
    <message>
        <source>Select the variant&apos;s next tensor with NaN or infinite elements</source>
        <translation>选择该变体中下一个含 NaN 或无穷元素的张量</translation>
    </message>
    <message>
        <source>Previous non-f&amp;inite tensor</source>
        <translation>上一个非有限张量(&amp;I)</translation>
    </message>
    <message>
        <source>Select the variant&apos;s previous tensor with NaN or infinite elements</source>
        <translation>选择该变体中上一个含 NaN 或无穷元素的张量</translation>
    </message>
    <message>
        <source>Next &amp;jump</source>
        <translation>下一处跳变(&amp;J)</translation>
    </message>
    <message>
        <source>Select the next layer at which the variant&apos;s error jumps</source>
        <translation>选择该变体误差发生跳变的下一层</translation>
    </message>
    <message>
        <source>Previous j&amp;ump</source>
        <translation>上一处跳变(&amp;U)</translation>
    </message>
    <message>
        <source>Select the previous layer at which the variant&apos;s error jumps</source>
        <translation>选择该变体误差发生跳变的上一层</translation>
    </message>
    <message>
        <source>Make the selected variant the &amp;baseline</source>
        <translation>将所选变体设为基线(&amp;B)</translation>
    </message>
    <message>
        <source>Compare all runs with the selected variant</source>
        <translation>将所有运行与所选变体比较</translation>
    </message>
    <message>
        <source>Make the &amp;reference the baseline</source>
        <translation>将参考设为基线(&amp;R)</translation>
    </message>
    <message>
        <source>Compare all runs with the reference again</source>
        <translation>重新将所有运行与参考比较</translation>
    </message>
    <message>
        <source>&amp;Error, difference or ratio</source>
        <translation>误差、差值或比值(&amp;E)</translation>
    </message>
    <message>
        <source>Show errors against the baseline, less its errors, or as multiples of them</source>
        <translation>显示相对基线的误差、与基线误差之差，或其倍数</translation>
    </message>
    <message>
        <source>&amp;Bookmark the selection</source>
        <translation>为所选内容添加书签(&amp;B)</translation>
    </message>
    <message>
        <source>Mark what is selected, to come back to it</source>
        <translation>标记所选内容以便返回</translation>
    </message>
    <message>
        <source>Go to bookmark %1</source>
        <translation>转到书签 %1</translation>
    </message>
    <message>
        <source>Run on another &amp;machine…</source>
        <translation>在另一台机器上运行(&amp;M)…</translation>
    </message>
    <message>
        <source>Save the open study and run it on a machine that ssh reaches</source>
        <translation>保存打开的研究，并在可通过 ssh 访问的机器上运行</translation>
    </message>
</context>
<context>
    <name>ulp::app::WindowMenus</name>
    <message>
        <source>Open r&amp;ecent</source>
        <translation>打开最近的文件(&amp;E)</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;High contrast</source>
        <translation>高对比度(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>面板(&amp;P)</translation>
    </message>
    <message>
        <source>La&amp;yout</source>
        <translation>布局(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>About Ulpscope</source>
        <translation>关于 Ulpscope</translation>
    </message>
    <message>
        <source>Ulpscope %1
Where does a language model lose its bits?

Qt %2</source>
        <translation>Ulpscope %1
语言模型的精度在哪里丢失？

Qt %2</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>比较(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;About Ulpscope</source>
        <translation>关于 Ulpscope(&amp;A)</translation>
    </message>
    <message>
        <source>Toolbar</source>
        <translation>工具栏</translation>
    </message>
    <message>
        <source>&amp;Metric</source>
        <translation>指标(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Pass</source>
        <translation>传播方向(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Baseline</source>
        <translation>基线(&amp;B)</translation>
    </message>
</context>
<context>
    <name>ulp::app::WindowTools</name>
    <message>
        <source>&amp;Command palette…</source>
        <translation>命令面板(&amp;C)…</translation>
    </message>
    <message>
        <source>Find a command by a few of its letters and run it</source>
        <translation>键入几个字母查找命令并运行</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>Show all keys at a glance</source>
        <translation>查看所有按键</translation>
    </message>
    <message>
        <source>Se&amp;ttings…</source>
        <translation>设置(&amp;T)…</translation>
    </message>
    <message>
        <source>Theme, text size, language, shortcuts</source>
        <translation>主题、文字大小、语言、快捷键</translation>
    </message>
    <message>
        <source>Ne&amp;xt panel</source>
        <translation>下一个面板(&amp;X)</translation>
    </message>
    <message>
        <source>Move the keyboard to the next panel</source>
        <translation>将键盘焦点移到下一个面板</translation>
    </message>
    <message>
        <source>Pre&amp;vious panel</source>
        <translation>上一个面板(&amp;V)</translation>
    </message>
    <message>
        <source>Move the keyboard to the previous panel</source>
        <translation>将键盘焦点移到上一个面板</translation>
    </message>
    <message>
        <source>&amp;Tensor or variant…</source>
        <translation>张量或变体(&amp;T)…</translation>
    </message>
    <message>
        <source>Find a tensor or a variant by a few letters of its name</source>
        <translation>键入名称中的几个字母查找张量或变体</translation>
    </message>
    <message>
        <source>&amp;Parent module</source>
        <translation>上级模块(&amp;P)</translation>
    </message>
    <message>
        <source>The module that contains the selected tensor</source>
        <translation>包含所选张量的模块</translation>
    </message>
    <message>
        <source>Same tensor in the &amp;next block</source>
        <translation>下一个块中的同名张量(&amp;N)</translation>
    </message>
    <message>
        <source>The tensor of the same kind in the next block</source>
        <translation>下一个块中的同类张量</translation>
    </message>
    <message>
        <source>Same tensor in the pre&amp;vious block</source>
        <translation>上一个块中的同名张量(&amp;V)</translation>
    </message>
    <message>
        <source>The tensor of the same kind in the previous block</source>
        <translation>上一个块中的同类张量</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>Type a few letters of a command</source>
        <translation>键入命令中的几个字母</translation>
    </message>
    <message>
        <source>No command is called that.</source>
        <translation>没有符合的命令。</translation>
    </message>
    <message>
        <source>Go to tensor or variant</source>
        <translation>转到张量或变体</translation>
    </message>
    <message>
        <source>Type a few letters of a tensor or a variant</source>
        <translation>键入张量或变体名称中的几个字母</translation>
    </message>
    <message>
        <source>The report has no tensor or variant of that name.</source>
        <translation>报告中没有该名称的张量或变体。</translation>
    </message>
    <message>
        <source>keyboard shortcuts commands keys import export</source>
        <translation>键盘 快捷键 命令 按键 导入 导出</translation>
    </message>
    <message>
        <source>&amp;Help on this</source>
        <translation>关于此处的帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Define the metric under the mouse or the keyboard, or explain the view</source>
        <translation>给出鼠标或键盘所在指标的定义，或说明视图</translation>
    </message>
    <message>
        <source>&amp;Guide</source>
        <translation>指南(&amp;G)</translation>
    </message>
    <message>
        <source>Open the guide to the views</source>
        <translation>打开各视图的指南</translation>
    </message>
    <message>
        <source>&amp;Metrics</source>
        <translation>指标(&amp;M)</translation>
    </message>
    <message>
        <source>Open the definitions of all metrics</source>
        <translation>打开所有指标的定义</translation>
    </message>
    <message>
        <source>&amp;Five-minute tour</source>
        <translation>五分钟导览(&amp;F)</translation>
    </message>
    <message>
        <source>Open the example, and the steps of a tour beside it</source>
        <translation>打开示例，并在旁边显示导览步骤</translation>
    </message>
</context>
<context>
    <name>ulp::views::ActionCatalog</name>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
</context>
<context>
    <name>ulp::views::BitByBitView</name>
    <message>
        <source>Tensors that differ</source>
        <translation>有差异的张量</translation>
    </message>
    <message>
        <source>Run to compare with</source>
        <translation>作为对照的运行</translation>
    </message>
    <message>
        <source>The run that the other one is compared with</source>
        <translation>另一个运行与之比较的运行</translation>
    </message>
    <message>
        <source>Run to compare</source>
        <translation>要比较的运行</translation>
    </message>
    <message>
        <source>The run that is compared</source>
        <translation>被比较的运行</translation>
    </message>
    <message>
        <source>with</source>
        <translation>对照</translation>
    </message>
    <message>
        <source>Account of the differences</source>
        <translation>差异说明</translation>
    </message>
    <message>
        <source>Here two runs are compared number by number: the first tensor that differs, what still agreed, and why.</source>
        <translation>这里逐个数值比较两个运行：第一个有差异的张量、此前仍一致的部分以及原因。</translation>
    </message>
    <message>
        <source>The baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>The selected variant</source>
        <translation>所选变体</translation>
    </message>
    <message>
        <source>For runs of studies</source>
        <translation>适用于研究的运行</translation>
    </message>
    <message>
        <source>Where two dumps part is told by their culprits, in the findings.</source>
        <translation>两个转储从何处分歧，见“发现”中的源头。</translation>
    </message>
    <message>
        <source>Nothing to compare</source>
        <translation>没有可比较的内容</translation>
    </message>
    <message>
        <source>The report has no variant yet.</source>
        <translation>报告中还没有变体。</translation>
    </message>
    <message>
        <source>Comparing %1 with %2…</source>
        <translation>正在比较 %1 与 %2…</translation>
    </message>
    <message>
        <source>%1 % of the tensors</source>
        <translation>已完成 %1 % 的张量</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>The runs were not compared to the end.</source>
        <translation>这两个运行没有比较完。</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>These runs cannot be compared</source>
        <translation>无法比较这两个运行</translation>
    </message>
    <message>
        <source>Bit by bit</source>
        <translation>逐位比较</translation>
    </message>
    <message>
        <source>Where two runs first hold another number, and why</source>
        <translation>两个运行最先在何处数值不同，以及原因</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 以及另外 %2 个</translation>
    </message>
    <message>
        <source>%1 rad at position %2</source>
        <translation>位置 %2 处 %1 rad</translation>
    </message>
    <message>
        <source>Equal elements</source>
        <translation>相等的元素</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Relative error</source>
        <translation>相对误差</translation>
    </message>
    <message>
        <source>%1 RMS, %2 at most</source>
        <translation>RMS %1，最大 %2</translation>
    </message>
    <message>
        <source>%1 on average, %2 at most</source>
        <translation>平均 %1，最大 %2</translation>
    </message>
    <message>
        <source>Not finite</source>
        <translation>非有限</translation>
    </message>
    <message>
        <source>%1 elements and %2</source>
        <translation>%1 个元素与 %2 个</translation>
    </message>
    <message>
        <source>Inputs that agree</source>
        <translation>一致的输入</translation>
    </message>
    <message>
        <source>Inputs that differ</source>
        <translation>不同的输入</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>none of the compared tensors</source>
        <translation>不在已比较的张量之中</translation>
    </message>
    <message>
        <source>Angles are off by up to</source>
        <translation>角度偏差最大为</translation>
    </message>
    <message>
        <source>Equal before it</source>
        <translation>在它之前相等</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Equal all the same behind it</source>
        <translation>在它之后仍相等</translation>
    </message>
    <message>
        <source>First difference, %1:</source>
        <translation>第一个差异，%1：</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>传播方向</translation>
    </message>
    <message>
        <source>Share of the elements with the same value in both runs</source>
        <translation>两个运行中值相同的元素所占比例</translation>
    </message>
    <message>
        <source>Root mean square of the difference over that of the baseline</source>
        <translation>差的均方根与基线均方根之比</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %2 are equal: every compared element of %n tensor(s)</source>
        <translation>
            <numerusform>%1 与 %2 相等：%n 个张量中所有比较过的元素</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 differs from %2: %3 of %n compared tensor(s) are equal</source>
        <translation>
            <numerusform>%1 与 %2 不同：比较的 %n 个张量中有 %3 个相等</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of %n tensor(s) only samples were kept and compared.</source>
        <translation>
            <numerusform>其中 %n 个张量仅保留并比较了采样。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) were kept by one of the runs alone.</source>
        <translation>
            <numerusform>%n 个张量仅由其中一次运行保留。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) have different shapes in the two runs and were not compared; do they have the same input?</source>
        <translation>
            <numerusform>%n 个张量在两次运行中形状不同，未作比较；两者的输入相同吗？</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: all %n tensor(s) equal</source>
        <translation>
            <numerusform>%1：全部 %n 个张量相等</numerusform>
        </translation>
    </message>
    <message>
        <source>Only one of the runs has a gradient of %1.</source>
        <translation>只有其中一次运行具有 %1 的梯度。</translation>
    </message>
    <message>
        <source>Made by another operation</source>
        <translation>由另一个操作产生</translation>
    </message>
    <message>
        <source>%1 in %2, %3 in %4</source>
        <translation>%2 中为 %1，%4 中为 %3</translation>
    </message>
    <message>
        <source>%1 has %2; what differs is not precision alone.</source>
        <translation>%1：%2；差异不仅来自精度。</translation>
    </message>
    <message>
        <source>Two runs part somewhere. What is open is compared with nothing.</source>
        <translation>两次运行才会在某处分开。打开的内容没有与任何东西比较。</translation>
    </message>
</context>
<context>
    <name>ulp::views::BookmarkModel</name>
    <message>
        <source>Bookmark</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
</context>
<context>
    <name>ulp::views::Bookmarks</name>
    <message>
        <source>%1. The file is left as it is; bookmarks of this session are not saved until it is repaired or moved away.</source>
        <translation>%1。文件保持原样；在其被修复或移走之前，不会保存本次会话的书签。</translation>
    </message>
    <message>
        <source>%1. The bookmarks stay in this window; they are saved with the next change, or with “Try again”.</source>
        <translation>%1。书签仍保留在本窗口中；下次更改时会再次保存，也可点击“重试”。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>ulp::views::BookmarksView</name>
    <message>
        <source>Add a bookmark</source>
        <translation>添加书签</translation>
    </message>
    <message>
        <source>Remove this bookmark</source>
        <translation>移除此书签</translation>
    </message>
    <message>
        <source>Bookmarks</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>Here are the places that you want to come back to, with your notes.</source>
        <translation>这里是您想要返回的位置及您的备注。</translation>
    </message>
    <message>
        <source>No bookmarks yet</source>
        <translation>暂无书签</translation>
    </message>
    <message>
        <source>Ctrl+B marks what is selected. Bookmarks and notes are kept beside the report.</source>
        <translation>按 Ctrl+B 为所选内容添加书签。书签和备注保存在报告旁边。</translation>
    </message>
    <message>
        <source>Bookmark the selection</source>
        <translation>为所选内容添加书签</translation>
    </message>
    <message>
        <source>Places to come back to, with notes</source>
        <translation>要返回的位置及备注</translation>
    </message>
</context>
<context>
    <name>ulp::views::CauseDialog</name>
    <message>
        <source>&amp;Replace results that the folder holds</source>
        <translation>替换文件夹中已有的结果(&amp;R)</translation>
    </message>
    <message>
        <source>Prove the cause</source>
        <translation>证明原因</translation>
    </message>
    <message>
        <source>Why %1 differs from %2</source>
        <translation>%1 为何与 %2 不同</translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation>文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Device</source>
        <translation>设备(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Threads</source>
        <translation>线程(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Settings</source>
        <translation>设置(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Prove the cause</source>
        <translation>证明原因(&amp;P)</translation>
    </message>
    <message>
        <source>Where these runs go. Empty: %1, or the next free of -2, -3 … where that holds other things</source>
        <translation>这些运行存放的位置。留空：%1；若其中有其他内容，则使用 -2、-3 … 中下一个空闲的</translation>
    </message>
    <message>
        <source>Off: runs of this proof are kept and continued, and other things are left alone</source>
        <translation>关闭时：保留并继续本证明的运行，其他内容不受影响</translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation>浏览(&amp;B)…</translation>
    </message>
    <message>
        <source>Choose a folder for these runs</source>
        <translation>为这些运行选择文件夹</translation>
    </message>
    <message>
        <source>as the study says</source>
        <translation>按研究的设置</translation>
    </message>
    <message>
        <source>%1, as the runs</source>
        <translation>%1，与这些运行相同</translation>
    </message>
    <message>
        <source>auto, cpu, cuda or cuda:N. Another device makes other numbers</source>
        <translation>auto、cpu、cuda 或 cuda:N。换设备会得到不同的数值</translation>
    </message>
    <message>
        <source>one a core</source>
        <translation>每个核心一个</translation>
    </message>
    <message>
        <source>Threads on the CPU. Another number may change the last bits of results</source>
        <translation>CPU 上的线程数。改变数量可能改变结果的最后几位</translation>
    </message>
    <message>
        <source>KEY=VALUE, one a line, such as %1</source>
        <translation>每行一个 KEY=VALUE，例如 %1</translation>
    </message>
    <message>
        <source>Settings for every one of these runs, in place of those of the study</source>
        <translation>用于这些运行中每一次的设置，取代研究中的设置</translation>
    </message>
</context>
<context>
    <name>ulp::views::CausePane</name>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 (leaves no difference of settings)</source>
        <translation>%1（设置不再有差异）</translation>
    </message>
    <message>
        <source>Finding out what to run…</source>
        <translation>正在确定要运行的内容…</translation>
    </message>
    <message>
        <source>Judging the runs…</source>
        <translation>正在评判运行结果…</translation>
    </message>
    <message numerus="yes">
        <source>Waiting in the queue, %n study(s) before it</source>
        <translation>
            <numerusform>在队列中等待，前面有 %n 个研究</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>Running again, with one change at a time: %1 %</source>
        <translation>正在逐一改动并重新运行：%1 %</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>改动</translation>
    </message>
    <message>
        <source>What of the settings was made like the baseline&apos;s</source>
        <translation>哪些设置被改得与基线一致</translation>
    </message>
    <message>
        <source>Equal elements of %1, where the runs differ first</source>
        <translation>%1（最先出现差异处）中相等的元素</translation>
    </message>
    <message>
        <source>Equal elements of the logits</source>
        <translation>logits 中相等的元素</translation>
    </message>
    <message>
        <source>Tensors equal</source>
        <translation>张量相等</translation>
    </message>
    <message>
        <source>Tensors that are equal in every element</source>
        <translation>所有元素都相等的张量</translation>
    </message>
    <message>
        <source>Prove the cause</source>
        <translation>证明原因</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Runs with one change at a time</source>
        <translation>逐一改动的运行</translation>
    </message>
    <message>
        <source>Lines of the study that matter</source>
        <translation>研究文件中相关的行</translation>
    </message>
    <message>
        <source>Open these runs</source>
        <translation>打开这些运行</translation>
    </message>
    <message>
        <source>Progress of the proof</source>
        <translation>证明的进度</translation>
    </message>
    <message>
        <source>Open the report of these runs in place of this one</source>
        <translation>打开这些运行的报告，取代当前报告</translation>
    </message>
    <message>
        <source>Prove again</source>
        <translation>重新证明</translation>
    </message>
    <message>
        <source>Run %1 and %2 again in the background, and once more for each difference of their settings, with that one taken back</source>
        <translation>在后台重新运行 %1 和 %2，并针对它们设置的每一处差异再运行一次，其中撤回该差异</translation>
    </message>
    <message>
        <source>%1 once more, with one change at a time</source>
        <translation>%1 再次运行，每次一处改动</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>First equal, %</source>
        <translation>首处相等，%</translation>
    </message>
    <message>
        <source>Logits equal, %</source>
        <translation>logits 相等，%</translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>新文件夹</translation>
    </message>
    <message>
        <source>Options…</source>
        <translation>选项…</translation>
    </message>
    <message>
        <source>Keep what the folder holds, and prove it in a free one beside it</source>
        <translation>保留文件夹中的内容，在旁边的空闲文件夹中证明</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Remove what Ulpscope wrote into the folder, and prove the cause there</source>
        <translation>删除 Ulpscope 写入该文件夹的内容，并在其中证明原因</translation>
    </message>
    <message>
        <source>Choose the folder, device, threads and settings of these runs, and prove the cause</source>
        <translation>选择这些运行的文件夹、设备、线程和设置，并证明原因</translation>
    </message>
    <message>
        <source>Prove again…</source>
        <translation>重新证明…</translation>
    </message>
</context>
<context>
    <name>ulp::views::CauseProver</name>
    <message>
        <source>No report is open.</source>
        <translation>没有打开的报告。</translation>
    </message>
    <message>
        <source>Dumps hold what another program computed. Only a study can be run again.</source>
        <translation>转储保存的是其他程序的计算结果。只有研究可以重新运行。</translation>
    </message>
    <message>
        <source>This report lies in no folder that its runs could be repeated beside.</source>
        <translation>此报告不在任何文件夹中，无法在其旁边重复运行。</translation>
    </message>
    <message>
        <source>The report does not say with which settings its runs were made.</source>
        <translation>报告没有说明其运行使用的设置。</translation>
    </message>
    <message>
        <source>%1 holds other things than runs of this proof.</source>
        <translation>%1 中有不属于本证明的内容。</translation>
    </message>
    <message>
        <source>Replace what Ulpscope wrote there, or prove it in a new folder.</source>
        <translation>请替换 Ulpscope 写在那里的内容，或在新文件夹中证明。</translation>
    </message>
    <message>
        <source>The runs of this proof in %1 cannot be continued: %2.</source>
        <translation>%1 中本证明的运行无法继续：%2。</translation>
    </message>
    <message>
        <source>Why %1 differs is not proved. %2</source>
        <translation>%1 不同的原因尚未证明。%2</translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>新文件夹</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
</context>
<context>
    <name>ulp::views::ClusterPane</name>
    <message>
        <source>Asking the cluster…</source>
        <translation>正在查询集群…</translation>
    </message>
    <message>
        <source>Show results</source>
        <translation>显示结果</translation>
    </message>
    <message>
        <source>Put together what the tasks have given so far, and open it</source>
        <translation>合并任务目前的结果并打开</translation>
    </message>
    <message>
        <source>Again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Submit the tasks again that failed</source>
        <translation>重新提交失败的任务</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Take back the tasks that wait or run</source>
        <translation>撤回等待或运行中的任务</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove the study from this list; its tasks go on, its files stay</source>
        <translation>将该研究从列表移除；其任务继续，文件保留</translation>
    </message>
    <message>
        <source>nodes are busy</source>
        <translation>节点忙</translation>
    </message>
    <message>
        <source>others come first</source>
        <translation>其他任务优先</translation>
    </message>
    <message>
        <source>waits for other tasks</source>
        <translation>等待其他任务</translation>
    </message>
    <message>
        <source>as many run as may at once</source>
        <translation>同时运行的任务数已达上限</translation>
    </message>
    <message>
        <source>its time has not come</source>
        <translation>尚未到开始时间</translation>
    </message>
    <message>
        <source>you may not run more at once</source>
        <translation>您同时运行的任务已达上限</translation>
    </message>
    <message>
        <source>asks for more time than it may</source>
        <translation>请求的时间超出限制</translation>
    </message>
    <message>
        <source>asks for more nodes than there are</source>
        <translation>请求的节点数超出现有数量</translation>
    </message>
    <message>
        <source>the node is not available</source>
        <translation>节点不可用</translation>
    </message>
    <message>
        <source>held back by you</source>
        <translation>由您暂停</translation>
    </message>
    <message>
        <source>held back by an administrator</source>
        <translation>由管理员暂停</translation>
    </message>
    <message>
        <source>Slurm does not answer</source>
        <translation>Slurm 无响应</translation>
    </message>
    <message numerus="yes">
        <source>%n pending</source>
        <translation>
            <numerusform>%n 个排队</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message numerus="yes">
        <source>%n running</source>
        <translation>
            <numerusform>%n 个运行中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not submitted</source>
        <translation>
            <numerusform>%n 个未提交</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n 个失败</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n done</source>
        <translation>
            <numerusform>%n 个完成</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ulp::views::Compare</name>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>参考</translation>
    </message>
    <message>
        <source>Errors can be put side by side when all reports have the same reference: weights, tokens and settings</source>
        <translation>当所有报告具有相同的参考（权重、token 和设置）时，误差才可并列比较</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>▲ another: weights, tokens or settings differ</source>
        <translation>▲ 不同：权重、token 或设置有差异</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>传播方向</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Pair</source>
        <translation>配对</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Reads as</source>
        <translation>读作</translation>
    </message>
    <message>
        <source>All %1 tensors correspond.</source>
        <translation>全部 %1 个张量均对应。</translation>
    </message>
    <message>
        <source>%1 tensors correspond, %2 differ in shape, %3 are only in %4, %5 only in %6.</source>
        <translation>%1 个张量对应，%2 个形状不同，%3 个仅在 %4 中，%5 个仅在 %6 中。</translation>
    </message>
</context>
<context>
    <name>ulp::views::CompareView</name>
    <message>
        <source>Open reports</source>
        <translation>打开的报告</translation>
    </message>
    <message>
        <source>Tensors only in the first report</source>
        <translation>仅在第一份报告中的张量</translation>
    </message>
    <message>
        <source>Tensors only in the other report</source>
        <translation>仅在另一份报告中的张量</translation>
    </message>
    <message>
        <source>Rules and pairs of names</source>
        <translation>名称的规则与配对</translation>
    </message>
    <message>
        <source>Add rule</source>
        <translation>添加规则</translation>
    </message>
    <message>
        <source>Pair the two chosen</source>
        <translation>将所选的两个配对</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Add a report…</source>
        <translation>添加报告…</translation>
    </message>
    <message>
        <source>Close this report</source>
        <translation>关闭此报告</translation>
    </message>
    <message>
        <source>Load a mapping…</source>
        <translation>加载映射…</translation>
    </message>
    <message>
        <source>Save the mapping…</source>
        <translation>保存映射…</translation>
    </message>
    <message>
        <source>Names that match, as ^h\.(\d+)</source>
        <translation>匹配的名称，例如 ^h\.(\d+)</translation>
    </message>
    <message>
        <source>Regular expression of names</source>
        <translation>名称的正则表达式</translation>
    </message>
    <message>
        <source>read as, as model.layers.$1</source>
        <translation>读作，例如 model.layers.$1</translation>
    </message>
    <message>
        <source>What matching names read as</source>
        <translation>匹配的名称读作什么</translation>
    </message>
    <message>
        <source>Here any number of reports are compared with each other.</source>
        <translation>这里可以相互比较任意数量的报告。</translation>
    </message>
    <message>
        <source>Matching tensors by name…</source>
        <translation>正在按名称匹配张量…</translation>
    </message>
    <message>
        <source>Only in %1</source>
        <translation>仅在 %1 中</translation>
    </message>
    <message numerus="yes">
        <source>Pair %n alike</source>
        <translation>
            <numerusform>将 %n 个相似项配对</numerusform>
        </translation>
    </message>
    <message>
        <source>Pairs tensors of equal shape, pass and layer whose names have most in common</source>
        <translation>将形状、传播方向和层相同且名称最相近的张量配对</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Open reports and how their tensors correspond</source>
        <translation>打开的报告及其张量的对应关系</translation>
    </message>
    <message>
        <source>The others are compared with this report</source>
        <translation>其他报告都与此报告比较</translation>
    </message>
    <message>
        <source>Choose one of them to see which tensors belong together.</source>
        <translation>选择其中一个以查看哪些张量相互对应。</translation>
    </message>
    <message>
        <source>One report is open</source>
        <translation>已打开一个报告</translation>
    </message>
    <message>
        <source>Here the tensors of another one are matched with those of this report.</source>
        <translation>此处将另一个报告的张量与此报告的张量进行匹配。</translation>
    </message>
</context>
<context>
    <name>ulp::views::ConfigDiff</name>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>study</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>float32 everywhere</source>
        <translation>全部 float32</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>command line</source>
        <translation>命令行</translation>
    </message>
    <message>
        <source>the run itself</source>
        <translation>运行本身</translation>
    </message>
    <message>
        <source>The report does not say what %1 used for %2.</source>
        <translation>报告未说明 %1 对 %2 使用的值。</translation>
    </message>
    <message>
        <source>%1 = %2 in %3</source>
        <translation>%3 中 %1 = %2</translation>
    </message>
    <message>
        <source>%1 = %2 in %3, set by: %4</source>
        <translation>%3 中 %1 = %2，设置者：%4</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>What the others are compared with</source>
        <translation>其他运行与之比较的对象</translation>
    </message>
    <message>
        <source>Set apart where it differs from %1</source>
        <translation>与 %1 不同之处已突出显示</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>set by</source>
        <translation>设置者</translation>
    </message>
    <message>
        <source>follows</source>
        <translation>跟随</translation>
    </message>
</context>
<context>
    <name>ulp::views::ConfigDiffView</name>
    <message>
        <source>Differences only</source>
        <translation>仅显示差异</translation>
    </message>
    <message>
        <source>Show only the keys in which runs differ</source>
        <translation>仅显示各运行不同的键</translation>
    </message>
    <message>
        <source>Configuration of the runs</source>
        <translation>运行的配置</translation>
    </message>
    <message>
        <source>Filter keys and values</source>
        <translation>筛选键和值</translation>
    </message>
    <message>
        <source>Here the runs&apos; configurations stand side by side, with who set each key.</source>
        <translation>这里并排显示各运行的配置，以及每个键由谁设置。</translation>
    </message>
    <message>
        <source>The configuration cannot be read</source>
        <translation>无法读取配置</translation>
    </message>
    <message>
        <source>No configuration</source>
        <translation>无配置</translation>
    </message>
    <message>
        <source>This report does not say what its runs used.</source>
        <translation>此报告未说明其运行所用的配置。</translation>
    </message>
    <message>
        <source>All runs agree in all %1 keys</source>
        <translation>所有运行的全部 %1 个键均一致</translation>
    </message>
    <message>
        <source>%1 of %2 keys</source>
        <translation>%2 个键中的 %1 个</translation>
    </message>
    <message>
        <source>Differences of the configurations</source>
        <translation>配置的差异</translation>
    </message>
    <message>
        <source>Configurations</source>
        <translation>配置</translation>
    </message>
    <message>
        <source>Config diff</source>
        <translation>配置差异</translation>
    </message>
    <message>
        <source>What every run was configured with, and who set it</source>
        <translation>每次运行的配置，以及由谁设置</translation>
    </message>
</context>
<context>
    <name>ulp::views::DepthAxis</name>
    <message>
        <source>emb</source>
        <translation>emb</translation>
    </message>
    <message>
        <source>head</source>
        <translation>head</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>各层</translation>
    </message>
    <message>
        <source>All rows</source>
        <translation>全部行</translation>
    </message>
</context>
<context>
    <name>ulp::views::DepthChart</name>
    <message>
        <source>RMS of the reference</source>
        <translation>参考的 RMS</translation>
    </message>
    <message>
        <source>… and %1 more</source>
        <translation>…以及另外 %1 个</translation>
    </message>
    <message>
        <source>%1 not finite</source>
        <translation>%1 个非有限</translation>
    </message>
    <message>
        <source>Expected for %1: unit round-off × √depth (a model)</source>
        <translation>%1 的预期：单位舍入误差 × √深度（模型估计）</translation>
    </message>
    <message>
        <source>%1 variants</source>
        <translation>%1 个变体</translation>
    </message>
    <message>
        <source>%1 along the depth of the model: %2</source>
        <translation>沿模型深度的%1：%2</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>传播方向</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Elements not finite</source>
        <translation>非有限元素</translation>
    </message>
    <message>
        <source>  ▲ × %1</source>
        <translation>  ▲ × %1</translation>
    </message>
    <message>
        <source>here</source>
        <translation>此处</translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>位于 %1</translation>
    </message>
    <message>
        <source>ratio</source>
        <translation>比值</translation>
    </message>
    <message>
        <source>Expected (a model)</source>
        <translation>预期（模型估计）</translation>
    </message>
    <message>
        <source>Jump</source>
        <translation>跳变</translation>
    </message>
    <message>
        <source>A curve appears here for each variant that has finished.</source>
        <translation>每完成一个变体，此处就会出现一条曲线。</translation>
    </message>
    <message>
        <source>The report has no tensor of this kind in these passes.</source>
        <translation>报告在所选传播中没有此类张量。</translation>
    </message>
    <message>
        <source>within noise</source>
        <translation>在噪声范围内</translation>
    </message>
    <message>
        <source>%1, sample %2</source>
        <translation>%1，样本 %2</translation>
    </message>
    <message>
        <source>largest: sample %1</source>
        <translation>最大：样本 %1</translation>
    </message>
    <message>
        <source>smallest: sample %1</source>
        <translation>最小：样本 %1</translation>
    </message>
    <message>
        <source>RMS of %1</source>
        <translation>%1 的 RMS</translation>
    </message>
</context>
<context>
    <name>ulp::views::DepthView</name>
    <message>
        <source>Logarithmic axis</source>
        <translation>对数坐标轴</translation>
    </message>
    <message>
        <source>Scale of the reference</source>
        <translation>参考的量级</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Rows of the depth axis: layers, every row, or one module in all layers</source>
        <translation>深度轴上的行：各层、全部行，或所有层中的同一模块</translation>
    </message>
    <message>
        <source>Nothing to compare yet</source>
        <translation>暂无可比较的内容</translation>
    </message>
    <message>
        <source>Curves appear here as soon as the first variant has finished.</source>
        <translation>第一个变体完成后，曲线会显示在这里。</translation>
    </message>
    <message>
        <source>Here the error of every variant is drawn along the depth of the model, forward and backward.</source>
        <translation>这里沿模型深度绘制每个变体的误差，包括前向和反向。</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>Error along the depth of the model</source>
        <translation>沿模型深度的误差</translation>
    </message>
    <message>
        <source>Mark jumps</source>
        <translation>标记跳变</translation>
    </message>
    <message>
        <source>Error that a model of the format expects</source>
        <translation>按格式模型预期的误差</translation>
    </message>
    <message>
        <source>One panel for each variant</source>
        <translation>每个变体一个面板</translation>
    </message>
    <message>
        <source>Pin a second cursor here</source>
        <translation>在此固定第二个光标</translation>
    </message>
    <message>
        <source>Use the selected variant as noise band</source>
        <translation>将所选变体用作噪声带</translation>
    </message>
    <message>
        <source>95 % intervals of means over several samples</source>
        <translation>多样本均值的 95 % 区间</translation>
    </message>
    <message>
        <source>Every sample of the selected variant</source>
        <translation>所选变体的每个样本</translation>
    </message>
    <message>
        <source>the curve of %1</source>
        <translation>%1 的曲线</translation>
    </message>
    <message>
        <source>the rows “%1”</source>
        <translation>“%1”各行</translation>
    </message>
    <message>
        <source>fewer rows</source>
        <translation>较少的行</translation>
    </message>
</context>
<context>
    <name>ulp::views::Details</name>
    <message>
        <source>Module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>%1, all compared</source>
        <translation>%1，全部已比较</translation>
    </message>
    <message>
        <source>%1, %2 compared</source>
        <translation>%1，已比较 %2</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Element</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Metrics of %1, %2</source>
        <translation>%1 的指标，%2</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Mean over the samples in which it is finite</source>
        <translation>其为有限值的各样本的均值</translation>
    </message>
    <message>
        <source>Half of the 95 % interval of the mean (Student&apos;s t)</source>
        <translation>均值 95 % 区间的一半（Student t）</translation>
    </message>
    <message>
        <source>sd</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Standard deviation over the samples</source>
        <translation>各样本的标准差</translation>
    </message>
    <message>
        <source>Smallest</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Samples in which it is a finite number</source>
        <translation>其为有限值的样本数</translation>
    </message>
    <message>
        <source>Undefined</source>
        <translation>未定义</translation>
    </message>
    <message>
        <source>Samples in which it is NaN or infinite</source>
        <translation>其为 NaN 或无穷的样本数</translation>
    </message>
    <message>
        <source>Noise floor</source>
        <translation>噪声基底</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>噪声</translation>
    </message>
    <message>
        <source>systematic</source>
        <translation>系统性</translation>
    </message>
    <message>
        <source>within noise</source>
        <translation>在噪声范围内</translation>
    </message>
    <message>
        <source>Its 95 % interval excludes 0: the error has a direction</source>
        <translation>其 95 % 区间不含 0：误差有方向</translation>
    </message>
    <message>
        <source>Gain error</source>
        <translation>增益误差</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>判断</translation>
    </message>
    <message>
        <source>Elements of the variant; those of %1 in brackets.</source>
        <translation>变体的元素；括号内为 %1 的元素。</translation>
    </message>
    <message>
        <source>How much larger (+) or smaller (−) the tensor is than that of %1, along it</source>
        <translation>该张量沿 %1 的张量方向大（+）或小（−）多少</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Kernels of %1</source>
        <translation>%1 的内核</translation>
    </message>
    <message>
        <source>Rows of one run alone</source>
        <translation>仅一个运行有的行</translation>
    </message>
    <message>
        <source>%1 of %2, %3 of %4: their tokens have other experts</source>
        <translation>%2 有 %1 行，%4 有 %3 行：其 token 选择了其他专家</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Made from</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
</context>
<context>
    <name>ulp::views::DetailsView</name>
    <message>
        <source>Metrics of the tensor</source>
        <translation>张量的指标</translation>
    </message>
    <message>
        <source>Elements of largest difference</source>
        <translation>差异最大的元素</translation>
    </message>
    <message>
        <source>No tensor is selected</source>
        <translation>未选择张量</translation>
    </message>
    <message>
        <source>Click a cell of the overview, a point of a chart, or a row of the table.</source>
        <translation>请单击概览中的单元格、图表中的点或表格中的行。</translation>
    </message>
    <message>
        <source>No report is open</source>
        <translation>未打开报告</translation>
    </message>
    <message>
        <source>Here the selected tensor is shown.</source>
        <translation>这里显示所选的张量。</translation>
    </message>
    <message>
        <source>Largest differences in %1</source>
        <translation>%1 中的最大差异</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Everything that is known of the selected tensor</source>
        <translation>所选张量的全部信息</translation>
    </message>
    <message>
        <source>The tensor over the samples</source>
        <translation>该张量在各样本上的情况</translation>
    </message>
    <message>
        <source>%1 over the samples</source>
        <translation>%1 在各样本上</translation>
    </message>
    <message>
        <source>%1 beside the noise</source>
        <translation>%1 与噪声对比</translation>
    </message>
</context>
<context>
    <name>ulp::views::DumpComparer</name>
    <message>
        <source>The comparison was stopped; what was finished is shown.</source>
        <translation>比较已停止；显示已完成的部分。</translation>
    </message>
    <message>
        <source>The comparison was stopped before anything was compared.</source>
        <translation>比较在得出任何结果之前已停止。</translation>
    </message>
    <message>
        <source>Compared %1 tensors, %2 of them are equal.</source>
        <translation>已比较 %1 个张量，其中 %2 个相等。</translation>
    </message>
    <message numerus="yes">
        <source>… and %n more note(s).</source>
        <translation>
            <numerusform>……以及另外 %n 条说明。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) in the baseline alone.</source>
        <translation>
            <numerusform>%n 个张量仅存在于基线中。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) in the candidate alone.</source>
        <translation>
            <numerusform>%n 个张量仅存在于候选中。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) of different shapes.</source>
        <translation>
            <numerusform>%n 个张量形状不同。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The two dumps are identical: %n tensor(s), every one equal.</source>
        <translation>
            <numerusform>两个转储完全相同：%n 个张量全部相等。</numerusform>
        </translation>
    </message>
    <message>
        <source>Compared %1 tensors; as far as recorded statistics tell, %2 of them are equal.</source>
        <translation>已比较 %1 个张量；据所记录的统计量，其中 %2 个相等。</translation>
    </message>
    <message>
        <source>%1 is still being compared, and not shown.</source>
        <translation>%1 仍在比较中，当前未显示。</translation>
    </message>
    <message>
        <source>Show the comparison</source>
        <translation>显示比较</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>The comparison %1 was closed and is not saved.</source>
        <translation>比较 %1 已关闭，且未保存。</translation>
    </message>
    <message>
        <source>The comparison was stopped; what was finished is kept.</source>
        <translation>比较已停止；已完成的部分已保留。</translation>
    </message>
    <message>
        <source>%1 will be compared once %2 is done.</source>
        <translation>%2 完成后将比较 %1。</translation>
    </message>
    <message>
        <source>Compare it now</source>
        <translation>立即比较</translation>
    </message>
    <message>
        <source>Do not compare it</source>
        <translation>不比较</translation>
    </message>
    <message>
        <source>Nothing was saved: this comparison is not kept any more. It was saved before, made again, or newer ones took its place.</source>
        <translation>未保存任何内容：此比较已不再保留。它已保存过、已重新比较，或已被较新的比较取代。</translation>
    </message>
    <message>
        <source>No operation makes a larger error than what it read and the formats account for.</source>
        <translation>没有任何操作产生的误差超出其输入与格式所能解释的范围。</translation>
    </message>
    <message>
        <source>The error starts at %1. %2.</source>
        <translation>误差始于 %1。%2。</translation>
    </message>
    <message>
        <source>Show me</source>
        <translation>显示位置</translation>
    </message>
    <message>
        <source>Match the names…</source>
        <translation>匹配名称…</translation>
    </message>
    <message>
        <source>In %1 numbers stop being finite. %2.</source>
        <translation>%1 中的数值不再是有限的。%2。</translation>
    </message>
    <message>
        <source>Nothing of it is NaN or infinite, as far as was recorded.</source>
        <translation>就所记录的内容而言，其中没有 NaN 或无穷。</translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) hold NaN or infinity, and no call makes it of finite numbers.</source>
        <translation>
            <numerusform>%n 个张量含有 NaN 或无穷，且没有调用由有限数产生它。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s)</source>
        <translation>
            <numerusform>%n 个张量</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Read %1 in %n unit(s).</source>
        <translation>
            <numerusform>已读取 %1，共 %n 个单元。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 will be opened once %2 is done.</source>
        <translation>%2 完成后将打开 %1。</translation>
    </message>
    <message>
        <source>Open it now</source>
        <translation>立即打开</translation>
    </message>
    <message>
        <source>Do not open it</source>
        <translation>不打开</translation>
    </message>
    <message>
        <source>Show the dump</source>
        <translation>显示转储</translation>
    </message>
    <message>
        <source>%1 is still being read, and not shown.</source>
        <translation>%1 仍在读取中，当前未显示。</translation>
    </message>
    <message>
        <source>Reading was stopped; the rest of the dump is not shown.</source>
        <translation>读取已停止；转储的其余部分未显示。</translation>
    </message>
    <message>
        <source>Reading was stopped before anything was read.</source>
        <translation>读取在读到任何内容之前已停止。</translation>
    </message>
</context>
<context>
    <name>ulp::views::DumpRecord</name>
    <message>
        <source>call</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>inside</source>
        <translation>位于</translation>
    </message>
    <message>
        <source>frame</source>
        <translation>栈帧</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>Minimum</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>L2 norm</source>
        <translation>L2 范数</translation>
    </message>
    <message>
        <source>Checksum</source>
        <translation>校验和</translation>
    </message>
    <message>
        <source>The dumps do not hold this tensor any more.</source>
        <translation>转储中已没有这个张量。</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>所记录</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>Candidate</source>
        <translation>候选</translation>
    </message>
    <message>
        <source>Where it was made</source>
        <translation>产生位置</translation>
    </message>
    <message>
        <source>%1:%2 in %3</source>
        <translation>%1:%2，%3</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
</context>
<context>
    <name>ulp::views::DumpRecordPane</name>
    <message>
        <source>What the dumps recorded of the tensor</source>
        <translation>转储对该张量的记录</translation>
    </message>
    <message>
        <source>Where the tensor was made, innermost first</source>
        <translation>张量的产生位置，由内到外</translation>
    </message>
    <message>
        <source>Where it was made</source>
        <translation>产生位置</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>所记录</translation>
    </message>
    <message>
        <source>Reading what the dumps recorded…</source>
        <translation>正在读取转储所记录的内容…</translation>
    </message>
</context>
<context>
    <name>ulp::views::DumpTensorPair</name>
    <message>
        <source>The dumps do not hold %1 any more</source>
        <translation>转储中已没有 %1</translation>
    </message>
    <message>
        <source>It was compared from %1 and %2, which were changed since. Compare them anew.</source>
        <translation>它由 %1 与 %2 比较得出，二者此后已被更改。请重新比较。</translation>
    </message>
    <message>
        <source>What was recorded of it stands in Details. To see elements, record tensors (msprobe: task “tensor”).</source>
        <translation>其记录内容见“详情”。要查看元素，请记录张量（msprobe：task“tensor”）。</translation>
    </message>
    <message>
        <source>Of %1 only statistics or checksums were recorded</source>
        <translation>%1 只记录了统计量或校验和</translation>
    </message>
    <message>
        <source>The candidate holds no elements of %1</source>
        <translation>候选中没有 %1 的元素</translation>
    </message>
    <message>
        <source>The baseline holds no elements of %1</source>
        <translation>基线中没有 %1 的元素</translation>
    </message>
    <message>
        <source>The two tensors differ in shape</source>
        <translation>两个张量形状不同</translation>
    </message>
    <message>
        <source>The baseline has %1, the candidate %2, so that elements cannot be paired.</source>
        <translation>基线为 %1，候选为 %2，因此元素无法配对。</translation>
    </message>
    <message>
        <source>The comparison was made from %1 and %2.</source>
        <translation>该比较由 %1 与 %2 得出。</translation>
    </message>
    <message>
        <source>Put them back there, or compare them where they are now: File › Compare dumps.</source>
        <translation>请将它们放回原处，或在其现在的位置重新比较：文件 › 比较转储。</translation>
    </message>
    <message>
        <source>The dumps are not where they were</source>
        <translation>转储已不在原处</translation>
    </message>
    <message>
        <source>The dumps cannot be read</source>
        <translation>无法读取转储</translation>
    </message>
    <message>
        <source>The dump does not hold %1 any more</source>
        <translation>转储中已没有 %1</translation>
    </message>
    <message>
        <source>It was read from %1, which was changed since. Reload it (F5).</source>
        <translation>它读自 %1，而后者此后已更改。请重新加载（F5）。</translation>
    </message>
    <message>
        <source>The dump is not where it was</source>
        <translation>转储已不在原处</translation>
    </message>
    <message>
        <source>The dump cannot be read</source>
        <translation>无法读取转储</translation>
    </message>
    <message>
        <source>%1
It was read from %2. Put it back there, or open it where it is now.</source>
        <translation>%1
它读自 %2。请放回该处，或从它现在的位置打开。</translation>
    </message>
</context>
<context>
    <name>ulp::views::DumpView</name>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>parameter</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>gradient of output</source>
        <translation>输出的梯度</translation>
    </message>
    <message>
        <source>gradient of input</source>
        <translation>输入的梯度</translation>
    </message>
    <message>
        <source>gradient of parameter</source>
        <translation>参数的梯度</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>≥ %1</source>
        <translation>≥ %1</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>Min</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Norm</source>
        <translation>范数</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>Elements that are NaN. ≥ 1: recorded statistics tell that there are some, and not how many.</source>
        <translation>为 NaN 的元素。≥ 1：所记录的统计量表明存在这样的元素，但不知道有多少。</translation>
    </message>
    <message>
        <source>Inf</source>
        <translation>Inf</translation>
    </message>
    <message>
        <source>Infinite elements. ≥ 1: recorded statistics tell that there are some, and not how many.</source>
        <translation>无穷的元素。≥ 1：所记录的统计量表明存在这样的元素，但不知道有多少。</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>已记录</translation>
    </message>
    <message>
        <source>Tensors of the dump</source>
        <translation>转储的张量</translation>
    </message>
    <message>
        <source>Filter tensors</source>
        <translation>筛选张量</translation>
    </message>
    <message>
        <source>Compare with…</source>
        <translation>与其比较…</translation>
    </message>
    <message>
        <source>Compare with another dump</source>
        <translation>与另一个转储比较</translation>
    </message>
    <message>
        <source>Unit of the dump</source>
        <translation>转储的单元</translation>
    </message>
    <message>
        <source>Step, rank or token whose tensors are listed</source>
        <translation>列出其张量的步骤、rank 或 token</translation>
    </message>
    <message>
        <source>Words of the call, module, tensor or format, such as “output” or “bfloat16”; numbers of a column: max&gt;100, norm&lt;=5, nan&gt;0</source>
        <translation>调用、模块、张量或数据类型中的词，如“output”或“bfloat16”；某列的数值：max&gt;100、norm&lt;=5、nan&gt;0</translation>
    </message>
    <message>
        <source>Not finite</source>
        <translation>非有限</translation>
    </message>
    <message>
        <source>Show tensors that hold NaN or infinity alone</source>
        <translation>仅显示含有 NaN 或无穷的张量</translation>
    </message>
    <message>
        <source>Open the elements</source>
        <translation>打开元素</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>复制名称</translation>
    </message>
    <message>
        <source>Here a dump is listed call by call, with what was recorded of every tensor.</source>
        <translation>这里按调用逐一列出转储，以及每个张量所记录的内容。</translation>
    </message>
    <message>
        <source>Nothing was read yet</source>
        <translation>尚未读取任何内容</translation>
    </message>
    <message>
        <source>The tensors appear here as soon as the first unit is read.</source>
        <translation>读取第一个单元后，张量即显示于此。</translation>
    </message>
    <message>
        <source>This report compares two dumps</source>
        <translation>此报告比较两个转储</translation>
    </message>
    <message>
        <source>One dump alone is listed here, with what was recorded of every tensor.</source>
        <translation>这里列出单个转储，以及每个张量所记录的内容。</translation>
    </message>
    <message>
        <source>Open the candidate alone</source>
        <translation>单独打开候选</translation>
    </message>
    <message>
        <source>This report is not of a dump</source>
        <translation>此报告不是转储的报告</translation>
    </message>
    <message>
        <source>File › Open folder or a drop opens what %1 or another tool recorded, and lists it here call by call.</source>
        <translation>“文件 › 打开文件夹”或拖放可打开 %1 或其他工具所记录的内容，并在此按调用逐一列出。</translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s)</source>
        <translation>
            <numerusform>%n 个张量</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>No call makes NaN or infinity of finite numbers.</source>
        <translation>没有调用由有限数产生 NaN 或无穷。</translation>
    </message>
    <message>
        <source>the tensors that are finite</source>
        <translation>有限的张量</translation>
    </message>
    <message>
        <source>the tensors that the filter “%1” left out</source>
        <translation>被筛选“%1”排除的张量</translation>
    </message>
    <message>
        <source>Tensors of %1</source>
        <translation>%1 的张量</translation>
    </message>
    <message>
        <source>Dump</source>
        <translation>转储</translation>
    </message>
    <message>
        <source>A dump call by call, with what was recorded</source>
        <translation>按调用逐一列出的转储，以及所记录的内容</translation>
    </message>
    <message>
        <source>Open a folder…</source>
        <translation>打开文件夹…</translation>
    </message>
</context>
<context>
    <name>ulp::views::EffectivePanel</name>
    <message>
        <source>%1, set by: %2, line %3</source>
        <translation>%1，设置者：%2，第 %3 行</translation>
    </message>
    <message>
        <source>%1, set by: %2</source>
        <translation>%1，设置者：%2</translation>
    </message>
    <message>
        <source>Differences only</source>
        <translation>仅显示差异</translation>
    </message>
    <message>
        <source>Effective configuration of every run</source>
        <translation>每次运行的有效配置</translation>
    </message>
    <message>
        <source>Show only the keys in which runs differ</source>
        <translation>仅显示各运行不同的键</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>What this run uses, and who set it</source>
        <translation>此运行使用的配置，以及由谁设置</translation>
    </message>
    <message>
        <source>Shown once the study has no problems.</source>
        <translation>实验没有问题后显示。</translation>
    </message>
    <message>
        <source>As of the last text without problems.</source>
        <translation>依据最后一份没有问题的文本。</translation>
    </message>
</context>
<context>
    <name>ulp::views::ElementReadout</name>
    <message>
        <source>Element under the cursor and selected element</source>
        <translation>光标处的元素和所选元素</translation>
    </message>
    <message>
        <source>Point at an element to read it, click to select it.</source>
        <translation>指向元素以读取，单击以选择。</translation>
    </message>
    <message>
        <source>Element</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>selected</source>
        <translation>所选</translation>
    </message>
    <message>
        <source>under the cursor</source>
        <translation>光标处</translation>
    </message>
    <message>
        <source>%1, %2: sign, exponent, mantissa</source>
        <translation>%1，%2：符号、指数、尾数</translation>
    </message>
    <message>
        <source>%1: A %2, B %3, B − A %4, relative %5, ULP %6</source>
        <translation>%1：A %2，B %3，B − A %4，相对 %5，ULP %6</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>%1: sign, exponent, mantissa</source>
        <translation>%1：符号、指数、尾数</translation>
    </message>
</context>
<context>
    <name>ulp::views::EmptyState</name>
    <message>
        <source>No report is open</source>
        <translation>未打开报告</translation>
    </message>
    <message>
        <source>Open a report…</source>
        <translation>打开报告…</translation>
    </message>
</context>
<context>
    <name>ulp::views::ExhibitExport</name>
    <message>
        <source>PNG picture</source>
        <translation>PNG 图片</translation>
    </message>
    <message>
        <source>SVG picture</source>
        <translation>SVG 图片</translation>
    </message>
    <message>
        <source>PDF document</source>
        <translation>PDF 文档</translation>
    </message>
</context>
<context>
    <name>ulp::views::ExhibitMenu</name>
    <message>
        <source>Copy chart or table</source>
        <translation>复制图表或表格</translation>
    </message>
    <message>
        <source>Copy whole table</source>
        <translation>复制整个表格</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Show in a window</source>
        <translation>在窗口中显示</translation>
    </message>
    <message>
        <source>Nothing to export yet</source>
        <translation>暂无可导出的内容</translation>
    </message>
    <message>
        <source>Copy chart</source>
        <translation>复制图表</translation>
    </message>
    <message>
        <source>Copy table</source>
        <translation>复制表格</translation>
    </message>
    <message>
        <source>Show as table</source>
        <translation>显示为表格</translation>
    </message>
    <message>
        <source>Export chart</source>
        <translation>导出图表</translation>
    </message>
    <message>
        <source>Export table</source>
        <translation>导出表格</translation>
    </message>
</context>
<context>
    <name>ulp::views::Experts</name>
    <message>
        <source>Tokens with other experts than in the reference</source>
        <translation>专家与参考不同的 token</translation>
    </message>
    <message>
        <source>Flipped tokens by layer: %1</source>
        <translation>各层翻转的 token：%1</translation>
    </message>
    <message>
        <source>Choices of the routers against the reference</source>
        <translation>路由器的选择与参考的对比</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Router</source>
        <translation>路由器</translation>
    </message>
    <message>
        <source>Margin</source>
        <translation>间隔</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Flipped</source>
        <translation>翻转</translation>
    </message>
    <message>
        <source>Flipped tokens by layer, %</source>
        <translation>各层翻转的 token，%</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Margin in the reference</source>
        <translation>参考中的间隔</translation>
    </message>
    <message>
        <source>RMS error of the block&apos;s output over these tokens, relative to the reference; – where the output was not captured or there are no such tokens</source>
        <translation>该模块输出在这些 token 上相对参考的 RMS 误差；未捕获输出或没有这样的 token 时为 –</translation>
    </message>
    <message>
        <source>Error of the output, %</source>
        <translation>输出误差，%</translation>
    </message>
    <message>
        <source>Other tokens</source>
        <translation>其余 token</translation>
    </message>
    <message>
        <source>Error of flipped tokens over that of the others</source>
        <translation>翻转 token 的误差与其余 token 误差之比</translation>
    </message>
    <message>
        <source>In the reference: score of the last expert chosen less that of the first one not chosen, in the numbers that the model compares; half of the tokens have at most this, to a factor of 2</source>
        <translation>在参考中：最后选中的专家得分减去第一个未选中的专家得分，以模型比较的数值计；一半 token 不超过此值，精确到 2 倍</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Median margin</source>
        <translation>间隔中位数</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>Experts that each token has, of all</source>
        <translation>每个 token 的专家数，共多少个</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 个中的 %1 个</translation>
    </message>
    <message>
        <source>Flipped, %</source>
        <translation>翻转，%</translation>
    </message>
    <message>
        <source>Tokens for which the variant chooses another set of experts</source>
        <translation>变体选择了另一组专家的 token</translation>
    </message>
    <message>
        <source>Experts changed, %</source>
        <translation>更换的专家，%</translation>
    </message>
    <message>
        <source>Choices of the reference that the variant does not make</source>
        <translation>参考做出而变体没有做出的选择</translation>
    </message>
    <message>
        <source>%1 chooses the experts of the reference for every token.</source>
        <translation>%1 为每个 token 选择的专家都与参考相同。</translation>
    </message>
    <message>
        <source>%1 chooses other experts for %2 % of the tokens, at layer %3 for %4 %.</source>
        <translation>%1 为 %2 % 的 token 选择了其他专家，在第 %3 层为 %4 %。</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>flipped</source>
        <translation>翻转</translation>
    </message>
    <message>
        <source>as in the reference</source>
        <translation>与参考相同</translation>
    </message>
    <message>
        <source>Flipped tokens (bright) by layer · %1</source>
        <translation>各层翻转的 token（亮色）· %1</translation>
    </message>
    <message>
        <source>Flipped tokens by margin, %</source>
        <translation>按间隔的翻转 token，%</translation>
    </message>
    <message>
        <source>%1 (sequence %2, %3)</source>
        <translation>%1（序列 %2，%3）</translation>
    </message>
    <message>
        <source>sequence %1</source>
        <translation>序列 %1</translation>
    </message>
    <message>
        <source>Ratio</source>
        <translation>比值</translation>
    </message>
</context>
<context>
    <name>ulp::views::ExpertsView</name>
    <message>
        <source>Routers of the variant</source>
        <translation>变体的路由器</translation>
    </message>
    <message>
        <source>Flipped tokens by layer</source>
        <translation>各层翻转的 token</translation>
    </message>
    <message>
        <source>Here you see for which tokens each variant chooses other experts than the reference, of models with routers.</source>
        <translation>对于带路由器的模型，这里显示每个变体为哪些 token 选择了与参考不同的专家。</translation>
    </message>
    <message>
        <source>Not known against %1</source>
        <translation>相对 %1 未知</translation>
    </message>
    <message>
        <source>Choices of experts are compared with those of the reference alone.</source>
        <translation>专家的选择只与参考的选择比较。</translation>
    </message>
    <message>
        <source>No routers</source>
        <translation>没有路由器</translation>
    </message>
    <message>
        <source>The report says nothing of experts. Studies that Python runs (engine: python) compare what the routers of a mixture of experts choose.</source>
        <translation>报告中没有关于专家的内容。由 Python 运行的研究（engine: python）会比较混合专家模型的路由器所做的选择。</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>For which tokens variants choose other experts, and what that does to their errors</source>
        <translation>变体为哪些 token 选择了其他专家，以及这对误差的影响</translation>
    </message>
    <message>
        <source>Back to the reference</source>
        <translation>返回参考</translation>
    </message>
    <message>
        <source>Add studies…</source>
        <translation>添加实验…</translation>
    </message>
</context>
<context>
    <name>ulp::views::ExportDialog</name>
    <message>
        <source>Format</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>F&amp;ormat</source>
        <translation>格式(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Scale</source>
        <translation>缩放(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>%1 × %2 pixels</source>
        <translation>%1 × %2 像素</translation>
    </message>
    <message>
        <source>%1 × %2 mm</source>
        <translation>%1 × %2 毫米</translation>
    </message>
    <message>
        <source>The file exists and will be replaced.</source>
        <translation>文件已存在，将被替换。</translation>
    </message>
</context>
<context>
    <name>ulp::views::ExportJobs</name>
    <message>
        <source>Wrote %1 (%2).</source>
        <translation>已写入 %1（%2）。</translation>
    </message>
    <message>
        <source>Show folder</source>
        <translation>显示文件夹</translation>
    </message>
    <message>
        <source>Stopped; %1 was not written.</source>
        <translation>已停止；%1 未写入。</translation>
    </message>
    <message>
        <source>Writing %1…</source>
        <translation>正在写入 %1…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stopping; what is unfinished of %1 is removed.</source>
        <translation>正在停止；%1 未完成的部分将被删除。</translation>
    </message>
    <message numerus="yes">
        <source>… and %n more note(s).</source>
        <translation>
            <numerusform>……以及另外 %n 条说明。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ulp::views::FindingLine</name>
    <message>
        <source>Show me</source>
        <translation>带我查看</translation>
    </message>
</context>
<context>
    <name>ulp::views::FindingNavigator</name>
    <message>
        <source>No rule found anything in this report.</source>
        <translation>没有规则在此报告中发现问题。</translation>
    </message>
    <message>
        <source>Every tensor of %1 is finite.</source>
        <translation>%1 的所有张量均为有限值。</translation>
    </message>
    <message>
        <source>The error of %1 nowhere grows %2-fold from one layer to the next.</source>
        <translation>%1 的误差在任何相邻两层之间都没有增大到 %2 倍。</translation>
    </message>
</context>
<context>
    <name>ulp::views::FindingPane</name>
    <message>
        <source>… and %1 more</source>
        <translation>…以及另外 %1 个</translation>
    </message>
    <message>
        <source>Explanation of the finding</source>
        <translation>发现的说明</translation>
    </message>
    <message>
        <source>Choose a finding to see the rule and its numbers.</source>
        <translation>选择一项发现以查看规则及其数值。</translation>
    </message>
</context>
<context>
    <name>ulp::views::FindingsView</name>
    <message>
        <source>Show me</source>
        <translation>带我查看</translation>
    </message>
    <message>
        <source>Explain</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>The rule of the finding, its thresholds and numbers</source>
        <translation>该发现的规则、阈值和数值</translation>
    </message>
    <message>
        <source>Make variant</source>
        <translation>生成变体</translation>
    </message>
    <message>
        <source>Add a variant to the open study that may do better, as far as one is known</source>
        <translation>向打开的实验添加一个可能更好的变体（若已知）</translation>
    </message>
    <message>
        <source>Thresholds</source>
        <translation>阈值</translation>
    </message>
    <message>
        <source>Change when rules speak up</source>
        <translation>更改规则触发的条件</translation>
    </message>
    <message>
        <source>Show or hide findings of this severity</source>
        <translation>显示或隐藏此严重程度的发现</translation>
    </message>
    <message>
        <source>Findings of variant</source>
        <translation>变体的发现</translation>
    </message>
    <message>
        <source>Show the findings of one variant only</source>
        <translation>仅显示一个变体的发现</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Here the rules of the analysis say what they found: where a variant first diverges, jumps, values that are not finite.</source>
        <translation>这里列出分析规则的发现：变体最先偏离的位置、跳变、非有限值。</translation>
    </message>
    <message>
        <source>All variants</source>
        <translation>所有变体</translation>
    </message>
    <message>
        <source>Looking for findings…</source>
        <translation>正在查找发现…</translation>
    </message>
    <message>
        <source>No rule found anything</source>
        <translation>没有规则发现问题</translation>
    </message>
    <message>
        <source>Errors stay within what the formats account for, everything is finite, and no variant equals another.</source>
        <translation>误差均在数据格式可解释的范围内，所有值均为有限值，且没有相同的变体。</translation>
    </message>
    <message>
        <source>%1 of %2 findings</source>
        <translation>%2 项发现中的 %1 项</translation>
    </message>
    <message>
        <source>The open study has the new variant %1.</source>
        <translation>打开的实验中已有新变体 %1。</translation>
    </message>
    <message>
        <source>Findings of %1</source>
        <translation>%1 的发现</translation>
    </message>
    <message>
        <source>What the rules of the analysis found, in order of execution</source>
        <translation>分析规则的发现，按执行顺序排列</translation>
    </message>
    <message>
        <source>whole run</source>
        <translation>整个运行</translation>
    </message>
    <message>
        <source>note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>严重程度</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Nothing to look at yet</source>
        <translation>尚无内容可分析</translation>
    </message>
    <message>
        <source>Findings appear here as soon as a variant has finished.</source>
        <translation>变体完成后，发现将显示在此处。</translation>
    </message>
    <message>
        <source>Findings are about the errors of the runs against the reference, not about their ratios or differences to the baseline.</source>
        <translation>发现针对的是各运行相对于参考的误差，而不是其与基线的比值或差值。</translation>
    </message>
    <message>
        <source>Select what the finding is about and go to the view that shows it (Return)</source>
        <translation>选中该发现涉及的内容并转到展示它的视图（Return）</translation>
    </message>
    <message>
        <source>No operation makes a larger error than what it read and the formats account for, and everything is finite.</source>
        <translation>没有任何操作产生的误差超出其输入与格式所能解释的范围，且所有值均有限。</translation>
    </message>
    <message>
        <source>Not compared to the end</source>
        <translation>未比较完</translation>
    </message>
    <message>
        <source>Where errors start is told of a step when all of it is compared.</source>
        <translation>某一步全部比较完后，才会指出误差从何处开始。</translation>
    </message>
    <message>
        <source>No verdict</source>
        <translation>无结论</translation>
    </message>
    <message>
        <source>Nothing that both dumps hold of the same tensors can be compared.</source>
        <translation>两个转储中相同张量的记录无法进行比较。</translation>
    </message>
    <message>
        <source>This tensor</source>
        <translation>此张量</translation>
    </message>
    <message>
        <source>Show the findings about the selected tensor only</source>
        <translation>仅显示与所选张量有关的发现</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Go to the cause of the divergence, or to where it is proved by running both runs again</source>
        <translation>转到偏离的原因，或转到重新运行两次运行以证明原因之处</translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) hold NaN or infinity, and no call makes it of finite numbers.</source>
        <translation>
            <numerusform>%n 个张量含有 NaN 或无穷，且没有调用由有限数产生它。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing of it is NaN or infinite, as far as was recorded.</source>
        <translation>就所记录的内容而言，其中没有 NaN 或无穷。</translation>
    </message>
    <message>
        <source>Nothing of it is NaN or infinite.</source>
        <translation>其中没有 NaN 或无穷。</translation>
    </message>
    <message>
        <source>It is compared with nothing, so that nothing is known of errors.</source>
        <translation>它没有与任何东西比较，因此对误差一无所知。</translation>
    </message>
</context>
<context>
    <name>ulp::views::FlipChart</name>
    <message>
        <source>Flipped tokens by layer and margin</source>
        <translation>按层和间隔的翻转 token</translation>
    </message>
    <message numerus="yes">
        <source>Shares of flipped tokens of %n variants.</source>
        <translation>
            <numerusform>%n 个变体的翻转 token 比例。</numerusform>
        </translation>
    </message>
    <message>
        <source>margin about %1</source>
        <translation>间隔约 %1</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>%1 flipped, %2 of %3 tokens</source>
        <translation>翻转 %1，%3 个 token 中的 %2 个</translation>
    </message>
</context>
<context>
    <name>ulp::views::FloorLabel</name>
    <message>
        <source>the same again</source>
        <translation>原样重复</translation>
    </message>
    <message>
        <source>rounding of the reference itself</source>
        <translation>参考自身的舍入误差</translation>
    </message>
    <message>
        <source>another number of threads</source>
        <translation>另一线程数</translation>
    </message>
    <message>
        <source>another attention kernel</source>
        <translation>另一注意力内核</translation>
    </message>
    <message>
        <source>sequences in reverse order</source>
        <translation>序列逆序</translation>
    </message>
</context>
<context>
    <name>ulp::views::FormField</name>
    <message>
        <source>%1 (default)</source>
        <translation>%1（默认）</translation>
    </message>
    <message>
        <source>runs/ and the name of the study</source>
        <translation>runs/ 加实验名称</translation>
    </message>
    <message>
        <source>Choose %1</source>
        <translation>选择 %1</translation>
    </message>
    <message>
        <source>Models (*.gguf *.json)</source>
        <translation>模型 (*.gguf *.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>all sites; one pattern a line</source>
        <translation>所有位置；每行一个模式</translation>
    </message>
    <message>
        <source>none; one pattern a line</source>
        <translation>无；每行一个模式</translation>
    </message>
    <message>
        <source>compute dtype</source>
        <translation>计算数据类型</translation>
    </message>
    <message>
        <source>Type: %1</source>
        <translation>类型：%1</translation>
    </message>
    <message>
        <source>, from %1 to %2</source>
        <translation>，从 %1 到 %2</translation>
    </message>
    <message>
        <source>Values: %1</source>
        <translation>取值：%1</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>默认：%1</translation>
    </message>
</context>
<context>
    <name>ulp::views::FrozenColumn</name>
    <message>
        <source>First column, always in sight</source>
        <translation>始终可见的首列</translation>
    </message>
</context>
<context>
    <name>ulp::views::GridDialog</name>
    <message>
        <source>Variants of all combinations</source>
        <translation>所有组合的变体</translation>
    </message>
    <message>
        <source>Keys and their values</source>
        <translation>键及其取值</translation>
    </message>
    <message>
        <source>Pattern of the names</source>
        <translation>名称模式</translation>
    </message>
    <message>
        <source>A key in braces stands for its short value: {compute_dtype} is bf16 for bfloat16.</source>
        <translation>花括号中的键代表其简短取值：bfloat16 时 {compute_dtype} 为 bf16。</translation>
    </message>
    <message>
        <source>Variants that will be added</source>
        <translation>将添加的变体</translation>
    </message>
    <message>
        <source>Tick the values to combine</source>
        <translation>勾选要组合的取值</translation>
    </message>
    <message>
        <source>&amp;Names</source>
        <translation>名称(&amp;N)</translation>
    </message>
    <message>
        <source>The study has a variant &apos;%1&apos; already; change the pattern of the names.</source>
        <translation>实验中已有变体“%1”；请更改名称模式。</translation>
    </message>
    <message>
        <source>Variants to be added: %1</source>
        <translation>将添加的变体：%1</translation>
    </message>
    <message>
        <source>Add the variants</source>
        <translation>添加变体</translation>
    </message>
</context>
<context>
    <name>ulp::views::HeatmapView</name>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Variants × layers</source>
        <translation>变体 × 层</translation>
    </message>
    <message>
        <source>Modules × layers</source>
        <translation>模块 × 层</translation>
    </message>
    <message>
        <source>Tokens × layers</source>
        <translation>Token × 层</translation>
    </message>
    <message>
        <source>Heads × layers</source>
        <translation>注意力头 × 层</translation>
    </message>
    <message>
        <source>What the rows are</source>
        <translation>行所代表的内容</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Which tensors the columns stand for</source>
        <translation>列所代表的张量</translation>
    </message>
    <message>
        <source>Order of the rows</source>
        <translation>行的顺序</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>By execution</source>
        <translation>按执行顺序</translation>
    </message>
    <message>
        <source>By name</source>
        <translation>按名称</translation>
    </message>
    <message>
        <source>Worst mean first</source>
        <translation>平均最差的在前</translation>
    </message>
    <message>
        <source>Worst cell first</source>
        <translation>最差单元格在前</translation>
    </message>
    <message>
        <source>Worst in the selected column first</source>
        <translation>所选列中最差的在前</translation>
    </message>
    <message>
        <source>Cividis</source>
        <translation>Cividis</translation>
    </message>
    <message>
        <source>Viridis</source>
        <translation>Viridis</translation>
    </message>
    <message>
        <source>Grey</source>
        <translation>灰度</translation>
    </message>
    <message>
        <source>Heatmap of errors</source>
        <translation>误差热力图</translation>
    </message>
    <message>
        <source>Here the error of every tensor is a colour: variants, modules, tokens or heads against the layers of the model.</source>
        <translation>这里用颜色表示每个张量的误差：变体、模块、token 或注意力头对应模型的各层。</translation>
    </message>
    <message>
        <source>Nothing to compare yet</source>
        <translation>暂无可比较的内容</translation>
    </message>
    <message>
        <source>Colours appear here as soon as the first variant has finished.</source>
        <translation>第一个变体完成后，颜色会显示在这里。</translation>
    </message>
    <message>
        <source>Show forward and backward</source>
        <translation>显示前向和反向</translation>
    </message>
    <message>
        <source>No tensor of this kind</source>
        <translation>没有此类张量</translation>
    </message>
    <message>
        <source>The report has none in the passes shown. Show the forward and the backward pass, or choose other tensors.</source>
        <translation>报告在所示传播方向中没有此类张量。请显示前向和反向传播，或选择其他张量。</translation>
    </message>
    <message>
        <source>Heatmap</source>
        <translation>热力图</translation>
    </message>
    <message>
        <source>Errors as colours, against the layers of the model</source>
        <translation>以颜色表示误差，对应模型的各层</translation>
    </message>
    <message>
        <source>Heads cannot be told apart in this report</source>
        <translation>此报告无法区分各注意力头</translation>
    </message>
    <message>
        <source>It needs the rows of q_proj, k_proj, v_proj or o_proj and that of the rotary embedding, which tells how many channels a head has. Set capture.level to module in the study and run it again.</source>
        <translation>需要 q_proj、k_proj、v_proj 或 o_proj 的行，以及说明每个头有多少通道的旋转位置编码的行。请在实验中将 capture.level 设为 module 并重新运行。</translation>
    </message>
    <message>
        <source>This metric is unknown</source>
        <translation>未知的指标</translation>
    </message>
    <message>
        <source>This version of Ulpscope cannot compute %1 from kept tensors. Choose another metric.</source>
        <translation>此版本的 Ulpscope 无法从保留的张量计算 %1。请选择其他指标。</translation>
    </message>
    <message>
        <source>Comparing kept tensors: %1 of %2</source>
        <translation>正在比较保留的张量：%1 / %2</translation>
    </message>
    <message>
        <source>Stopped after %1 of %2 tensors.</source>
        <translation>在 %2 个张量中的第 %1 个之后停止。</translation>
    </message>
    <message>
        <source>%1 of %2 tensors were kept whole and compared.</source>
        <translation>%2 个张量中有 %1 个被完整保留并比较。</translation>
    </message>
    <message>
        <source>Of %1 only samples were kept.</source>
        <translation>其中 %1 个仅保留了采样。</translation>
    </message>
    <message>
        <source>Comparing kept tensors</source>
        <translation>正在比较保留的张量</translation>
    </message>
    <message>
        <source>The kept tensors cannot be read</source>
        <translation>无法读取保留的张量</translation>
    </message>
    <message>
        <source>Only samples of the tensors were kept</source>
        <translation>仅保留了张量的采样</translation>
    </message>
    <message>
        <source>Single tokens and heads need whole tensors. Set capture.tensors to full in the study and run it again.</source>
        <translation>查看单个 token 和注意力头需要完整的张量。请在实验中将 capture.tensors 设为 full 并重新运行。</translation>
    </message>
    <message>
        <source>The tensors of this report were not kept</source>
        <translation>此报告未保留张量</translation>
    </message>
    <message>
        <source>Single tokens and heads need the tensors themselves. Set capture.tensors to full in the study and run it again.</source>
        <translation>查看单个 token 和注意力头需要张量本身。请在实验中将 capture.tensors 设为 full 并重新运行。</translation>
    </message>
    <message>
        <source>Copy the setting</source>
        <translation>复制该设置</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>Not finite</source>
        <translation>非有限</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>variants × layers</source>
        <translation>变体 × 层</translation>
    </message>
    <message>
        <source>modules × layers of %1</source>
        <translation>%1 的模块 × 层</translation>
    </message>
    <message>
        <source>tokens × layers of %1</source>
        <translation>%1 的 token × 层</translation>
    </message>
    <message>
        <source>heads × layers of %1</source>
        <translation>%1 的注意力头 × 层</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>传播方向</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>第 %1 头</translation>
    </message>
    <message>
        <source>token %1</source>
        <translation>token %1</translation>
    </message>
    <message>
        <source>sequence %1, token %2</source>
        <translation>序列 %1，token %2</translation>
    </message>
    <message>
        <source>layer output</source>
        <translation>层输出</translation>
    </message>
    <message>
        <source>Attention output, gradient</source>
        <translation>注意力输出，梯度</translation>
    </message>
    <message>
        <source>Queries</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Parameters have no heads</source>
        <translation>参数没有注意力头</translation>
    </message>
    <message>
        <source>Parameters have no tokens</source>
        <translation>参数没有 token</translation>
    </message>
    <message>
        <source>Their gradients are summed over all tokens. Show the forward and the backward pass to see this heatmap.</source>
        <translation>其梯度已对所有 token 求和。请显示前向和反向传播以查看此热力图。</translation>
    </message>
    <message>
        <source>Samples × layers</source>
        <translation>样本 × 层</translation>
    </message>
    <message>
        <source>These values are of one sample</source>
        <translation>这些值只来自一个样本</translation>
    </message>
    <message>
        <source>A study takes several when input.sequences is more than the sequences of one step. Set it in the study and run it again; against another baseline only the tensors of the first sample are known.</source>
        <translation>当 input.sequences 大于一步的序列数时，研究会取多个样本。请在研究中设置后重新运行；对于其他基线，只知道第一个样本的张量。</translation>
    </message>
    <message>
        <source>No sample is finished yet</source>
        <translation>尚无样本完成</translation>
    </message>
    <message>
        <source>A row appears here for each sample of the selected variant.</source>
        <translation>所选变体的每个样本在此显示为一行。</translation>
    </message>
    <message>
        <source>What the samples gave cannot be read</source>
        <translation>无法读取各样本的结果</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>samples × layers of %1</source>
        <translation>%1 的样本 × 层</translation>
    </message>
    <message>
        <source>sample %1</source>
        <translation>样本 %1</translation>
    </message>
    <message>
        <source>The elements cannot be compared</source>
        <translation>无法比较元素</translation>
    </message>
    <message>
        <source>Single tokens and heads need the elements, which the two dumps do not both hold: record tensors rather than statistics.</source>
        <translation>单个 token 与注意力头需要元素，而两个转储并非都含有元素：请记录张量而非统计量。</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>单元</translation>
    </message>
    <message>
        <source>Of which units of the dumps each row shows the worst</source>
        <translation>每行显示转储的哪些单元中最差的值</translation>
    </message>
    <message>
        <source>Steps × layers</source>
        <translation>步骤 × 层</translation>
    </message>
    <message>
        <source>Ranks × layers</source>
        <translation>进程 × 层</translation>
    </message>
    <message>
        <source>The runs of this report are no steps</source>
        <translation>此报告的运行不是步骤</translation>
    </message>
    <message>
        <source>The runs of this report are no ranks</source>
        <translation>此报告的运行不是进程</translation>
    </message>
    <message>
        <source>Show variants × layers</source>
        <translation>显示变体 × 层</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Worst of</source>
        <translation>取最差</translation>
    </message>
    <message>
        <source>%1 of %2 units</source>
        <translation>%2 个单元中的 %1 个</translation>
    </message>
    <message>
        <source>steps × layers</source>
        <translation>步骤 × 层</translation>
    </message>
    <message>
        <source>ranks × layers</source>
        <translation>进程 × 层</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>步骤 %1</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>进程 %1</translation>
    </message>
    <message>
        <source>worst of all ranks</source>
        <translation>所有进程中最差的</translation>
    </message>
    <message>
        <source>worst of all steps</source>
        <translation>所有步骤中最差的</translation>
    </message>
    <message>
        <source>worst of all units</source>
        <translation>所有单元中最差的</translation>
    </message>
    <message>
        <source>%1 could not be read, the first: %2</source>
        <translation>%1 个无法读取，第一个：%2</translation>
    </message>
    <message>
        <source>the tensors “%1”</source>
        <translation>“%1”的张量</translation>
    </message>
    <message>
        <source>Spike</source>
        <translation>尖峰</translation>
    </message>
    <message>
        <source>begins at this step</source>
        <translation>始于此步</translation>
    </message>
    <message>
        <source>A report has a run for each step when it is of a dump of several steps, or compares two.</source>
        <translation>当报告来自含多个步骤的一个转储，或比较两个这样的转储时，每一步都有一个运行。</translation>
    </message>
    <message>
        <source>A report has a run for each rank when it is of a dump of several ranks, or compares two.</source>
        <translation>当报告来自含多个 rank 的一个转储，或比较两个这样的转储时，每个 rank 都有一个运行。</translation>
    </message>
    <message>
        <source>Most likely token</source>
        <translation>最可能的 token</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Positions × layers</source>
        <translation>位置 × 层</translation>
    </message>
    <message>
        <source>positions × layers of %1</source>
        <translation>%1 的位置 × 层</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>position %1, generated</source>
        <translation>位置 %1，生成</translation>
    </message>
    <message>
        <source>position %1, prompt</source>
        <translation>位置 %1，提示</translation>
    </message>
    <message>
        <source>generated</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>generated from position %1 on</source>
        <translation>从位置 %1 起为生成</translation>
    </message>
    <message>
        <source>another one in %1 of %2</source>
        <translation>%2 个中有 %1 个不同</translation>
    </message>
    <message>
        <source>Not known against %1</source>
        <translation>相对 %1 未知</translation>
    </message>
    <message>
        <source>Errors by position are those against the reference alone.</source>
        <translation>按位置的误差只相对于参考。</translation>
    </message>
    <message>
        <source>No errors by position</source>
        <translation>没有按位置的误差</translation>
    </message>
    <message>
        <source>Studies in which the reference continues prompts keep the error of every position. Set input.generate in the study and run it again.</source>
        <translation>参考续写提示的研究会保留每个位置的误差。请在研究中设置 input.generate 并重新运行。</translation>
    </message>
    <message>
        <source>%1 is not known by position</source>
        <translation>%1 没有按位置的值</translation>
    </message>
    <message>
        <source>Reports keep the RMS of the error and of the reference at every position.</source>
        <translation>报告保留每个位置上误差与参考的均方根（RMS）。</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>显示 %1</translation>
    </message>
</context>
<context>
    <name>ulp::views::JobSummary</name>
    <message>
        <source>GPU memory %1 of %2</source>
        <translation>GPU 显存 %1 / %2</translation>
    </message>
    <message>
        <source>GPU memory %1 of %2, all programs together</source>
        <translation>GPU 显存 %1 / %2（所有程序合计）</translation>
    </message>
    <message>
        <source>GPU busy %1</source>
        <translation>GPU 占用 %1</translation>
    </message>
    <message>
        <source>%1 elapsed</source>
        <translation>已用 %1</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>Memory %1</source>
        <translation>内存 %1</translation>
    </message>
    <message>
        <source>Memory at most %1</source>
        <translation>内存峰值 %1</translation>
    </message>
    <message>
        <source>Memory %1, at most %2</source>
        <translation>内存 %1，峰值 %2</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>State of the study</source>
        <translation>实验状态</translation>
    </message>
    <message>
        <source>Memory of the worker</source>
        <translation>工作进程的内存</translation>
    </message>
    <message>
        <source>Why it failed</source>
        <translation>失败原因</translation>
    </message>
    <message>
        <source>Last messages of the worker</source>
        <translation>工作进程的最后消息</translation>
    </message>
    <message>
        <source>Edit and run again</source>
        <translation>编辑后重新运行</translation>
    </message>
    <message>
        <source>Copy log</source>
        <translation>复制日志</translation>
    </message>
    <message>
        <source>Go on with what is finished kept</source>
        <translation>保留已完成的部分并继续</translation>
    </message>
    <message>
        <source>Open the study in the editor, with a new folder for its results</source>
        <translation>在编辑器中打开该实验，并使用新的结果文件夹</translation>
    </message>
    <message>
        <source>Copy the messages that are shown in the log</source>
        <translation>复制日志中显示的消息</translation>
    </message>
    <message>
        <source>Memory and GPU unknown: the GPU&apos;s driver does not answer</source>
        <translation>内存与 GPU 用量未知：GPU 驱动无响应</translation>
    </message>
    <message>
        <source>The results in its folder are not of this study: %1.</source>
        <translation>其文件夹中的结果不属于此研究：%1。</translation>
    </message>
    <message>
        <source>on %1, which does not answer: it goes on there</source>
        <translation>在 %1 上，它没有应答：研究在那里继续运行</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>在 %1 上</translation>
    </message>
    <message>
        <source>GPU memory on %1 at most %2</source>
        <translation>%1 上的 GPU 内存最多 %2</translation>
    </message>
    <message>
        <source>Memory on %1 at most %2</source>
        <translation>%1 上的内存最多 %2</translation>
    </message>
    <message>
        <source>Memory on %1 %2, at most %3</source>
        <translation>%1 上的内存 %2，峰值 %3</translation>
    </message>
    <message>
        <source>Memory on %1 is not known yet</source>
        <translation>尚不知道 %1 上的内存用量</translation>
    </message>
</context>
<context>
    <name>ulp::views::JudgedRows</name>
    <message>
        <source>fails at %1 of %2</source>
        <translation>%2 个中有 %1 个未通过</translation>
    </message>
    <message>
        <source>warns at %1 of %2</source>
        <translation>%2 个中有 %1 个警告</translation>
    </message>
    <message>
        <source>not judged: a report holds compared rows alone</source>
        <translation>未判定：报告只含已比较的行</translation>
    </message>
    <message>
        <source>not judged at %1 of %2: needs the elements of both sides</source>
        <translation>%2 个中有 %1 个未判定：需要两侧的元素</translation>
    </message>
    <message>
        <source>nothing to ask</source>
        <translation>没有可检查的内容</translation>
    </message>
    <message>
        <source>holds for %1</source>
        <translation>对 %1 个成立</translation>
    </message>
    <message>
        <source>fail: %1 of %2 variants</source>
        <translation>未通过：%2 个变体中的 %1 个</translation>
    </message>
    <message>
        <source>warnings: %1</source>
        <translation>警告：%1</translation>
    </message>
    <message>
        <source>not judged: %1</source>
        <translation>未判定：%1</translation>
    </message>
    <message>
        <source>pass: %1</source>
        <translation>通过：%1</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>判定</translation>
    </message>
    <message>
        <source>Fail</source>
        <translation>未通过</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Not judged</source>
        <translation>未判定</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>First</source>
        <translation>首个</translation>
    </message>
    <message>
        <source>The first row that fails, else the first with a warning</source>
        <translation>首个未通过的行；若没有，则为首个有警告的行</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>%1, not judged at %2</source>
        <translation>%1，%2 个未判定</translation>
    </message>
    <message>
        <source>did not finish</source>
        <translation>未完成</translation>
    </message>
</context>
<context>
    <name>ulp::views::Levers</name>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>From</source>
        <translation>由</translation>
    </message>
    <message>
        <source>To</source>
        <translation>改为</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>No pair of variants has numbers here.</source>
        <translation>此处没有任何一对变体有数值。</translation>
    </message>
    <message>
        <source>Between %1 and %2 over %3 pairs of variants</source>
        <translation>在 %3 对变体中介于 %1 与 %2 之间</translation>
    </message>
    <message>
        <source>Pairs in which a side has elements that are not finite: %1</source>
        <translation>其中一方含有非有限元素的对数：%1</translation>
    </message>
    <message>
        <source>Pairs of variants that differ in this setting alone</source>
        <translation>仅此一项设置不同的变体对数</translation>
    </message>
    <message>
        <source>%1 after over before</source>
        <translation>%1 改后与改前之比</translation>
    </message>
    <message>
        <source>change of %1</source>
        <translation>%1 的变化</translation>
    </message>
    <message>
        <source>%1 from %2 to %3 changes most: %4 %5 at %6, %7</source>
        <translation>%1 由 %2 改为 %3 影响最大：%6（%7）处 %4 %5</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>非有限</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Settings and errors of the variants: %1</source>
        <translation>各变体的设置与误差：%1</translation>
    </message>
    <message>
        <source>What each setting changes: %1</source>
        <translation>各项设置的影响：%1</translation>
    </message>
    <message>
        <source>parameter gradients</source>
        <translation>参数梯度</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>%1 → %2, every other setting kept: %3</source>
        <translation>%1 → %2，其他设置保持不变：%3</translation>
    </message>
    <message>
        <source>A setting that alone was moved, with those that follow it</source>
        <translation>单独改变的设置，以及跟随它的设置</translation>
    </message>
    <message>
        <source>%1 from %2 to %3 changes most: not finite any more at %4, %5</source>
        <translation>%1 由 %2 改为 %3 影响最大：%4（%5）处不再是有限值</translation>
    </message>
    <message>
        <source>%1 from %2 to %3 changes most: finite again at %4, %5</source>
        <translation>%1 由 %2 改为 %3 影响最大：%4（%5）处重新成为有限值</translation>
    </message>
    <message>
        <source>%1 from %2 to %3 changes most: %4 from %5 to %6 at %7, %8</source>
        <translation>%1 由 %2 改为 %3 影响最大：%7（%8）处 %4 由 %5 变为 %6</translation>
    </message>
</context>
<context>
    <name>ulp::views::LeversView</name>
    <message>
        <source>One scale</source>
        <translation>统一刻度</translation>
    </message>
    <message>
        <source>Show all variants</source>
        <translation>显示全部变体</translation>
    </message>
    <message>
        <source>All errors on one axis range, so that their heights compare; otherwise every axis spans its own values</source>
        <translation>所有误差使用同一坐标范围，便于比较高低；否则每条轴只覆盖自身的取值</translation>
    </message>
    <message>
        <source>Let go of what was dragged on the axes (Escape)</source>
        <translation>取消在坐标轴上拖选的范围（Esc）</translation>
    </message>
    <message>
        <source>What each setting changes</source>
        <translation>各项设置的影响</translation>
    </message>
    <message>
        <source>Here each variant is a line over its settings and its errors, and a table says what each setting changes.</source>
        <translation>每个变体在此显示为一条穿过其设置与误差的折线，下方表格说明各项设置的影响。</translation>
    </message>
    <message>
        <source>The configuration cannot be read</source>
        <translation>无法读取配置</translation>
    </message>
    <message>
        <source>All variants have the same settings.</source>
        <translation>所有变体的设置相同。</translation>
    </message>
    <message>
        <source>No two variants differ in one setting alone, so no effect can be told apart.</source>
        <translation>没有两个变体仅相差一项设置，因此无法区分各项设置的影响。</translation>
    </message>
    <message>
        <source>No variants yet</source>
        <translation>尚无变体</translation>
    </message>
    <message>
        <source>A line appears here for each variant that has finished.</source>
        <translation>每完成一个变体，此处就会出现一条折线。</translation>
    </message>
    <message>
        <source>%1 of %2 variants</source>
        <translation>%2 个变体中的 %1 个</translation>
    </message>
    <message>
        <source>Levers</source>
        <translation>设置影响</translation>
    </message>
    <message>
        <source>Which setting pays: variants over settings and errors</source>
        <translation>哪项设置有效：各变体的设置与误差</translation>
    </message>
    <message>
        <source>all variants</source>
        <translation>所有变体</translation>
    </message>
</context>
<context>
    <name>ulp::views::LogPane</name>
    <message>
        <source>Filter log</source>
        <translation>筛选日志</translation>
    </message>
    <message>
        <source>Only lines with this text</source>
        <translation>只显示包含此文本的行</translation>
    </message>
    <message>
        <source>All messages</source>
        <translation>所有消息</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>警告和错误</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Level of the messages</source>
        <translation>消息级别</translation>
    </message>
    <message>
        <source>Only messages of this level and worse</source>
        <translation>只显示此级别及更严重的消息</translation>
    </message>
    <message>
        <source>Follow the end</source>
        <translation>跟随末尾</translation>
    </message>
    <message>
        <source>Follow the end of the log</source>
        <translation>跟随日志末尾</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
</context>
<context>
    <name>ulp::views::LogProbabilities</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Term</source>
        <translation>损失项</translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>量</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>Share, %</source>
        <translation>比例，%</translation>
    </message>
    <message>
        <source>From, nats</source>
        <translation>起，奈特</translation>
    </message>
    <message>
        <source>To, nats</source>
        <translation>止，奈特</translation>
    </message>
    <message>
        <source>δ = log π − log π of %1, nats</source>
        <translation>δ = log π − %1 的 log π，奈特</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token 数</translation>
    </message>
    <message>
        <source>Log-probabilities against %1</source>
        <translation>相对 %1 的对数概率</translation>
    </message>
    <message>
        <source>Differences of log-probabilities against %1</source>
        <translation>相对 %1 的对数概率之差</translation>
    </message>
    <message>
        <source>Log-probabilities by token: %1 against %2</source>
        <translation>逐 token 的对数概率：%1 相对 %2</translation>
    </message>
    <message>
        <source>Losses and clip decisions against %1</source>
        <translation>相对 %1 的损失与裁剪判定</translation>
    </message>
    <message>
        <source>δ of log π, nats</source>
        <translation>log π 之差 δ，奈特</translation>
    </message>
    <message>
        <source>Tokens that were to be predicted and are finite in both runs</source>
        <translation>需要预测且在两次运行中均为有限值的 token</translation>
    </message>
    <message>
        <source>Not finite</source>
        <translation>非有限</translation>
    </message>
    <message>
        <source>Tokens that are not finite in one of the two runs; left out</source>
        <translation>在两次运行之一中不是有限值的 token；不计入</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Mean of δ = log π of the run less that of the baseline: the bias</source>
        <translation>δ（运行的 log π 减去基线的 log π）的平均值：偏差</translation>
    </message>
    <message>
        <source>Half of the 95 % confidence interval of the mean, tokens taken as independent</source>
        <translation>平均值 95 % 置信区间的一半，视各 token 相互独立</translation>
    </message>
    <message>
        <source>RMS</source>
        <translation>均方根</translation>
    </message>
    <message>
        <source>Square root of the mean of δ²</source>
        <translation>δ² 平均值的平方根</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Largest |δ|</source>
        <translation>最大的 |δ|</translation>
    </message>
    <message>
        <source>Above %1, %</source>
        <translation>高于 %1，%</translation>
    </message>
    <message>
        <source>Share of tokens with |δ| above ε</source>
        <translation>|δ| 大于 ε 的 token 比例</translation>
    </message>
    <message>
        <source>Largest sum</source>
        <translation>最大总和</translation>
    </message>
    <message>
        <source>Sum of δ over a sequence, that of largest magnitude: what the ratio of whole sequences is made of</source>
        <translation>一个序列上 δ 的总和，取绝对值最大者：整个序列的概率之比由它构成</translation>
    </message>
    <message>
        <source>over the baseline&apos;s log π</source>
        <translation>相对基线的 log π</translation>
    </message>
    <message>
        <source>whole vocabulary</source>
        <translation>整个词表</translation>
    </message>
    <message>
        <source>KL, estimated</source>
        <translation>KL 估计</translation>
    </message>
    <message>
        <source>Mean of exp(δ) − 1 − δ, nats: an estimate of KL(A ‖ B) where A drew the tokens, else a distance (Schulman 2020, k3)</source>
        <translation>exp(δ) − 1 − δ 的平均值，奈特：若 token 由 A 采样，则为 KL(A ‖ B) 的估计，否则为一种距离（Schulman 2020，k3）</translation>
    </message>
    <message>
        <source>Slope</source>
        <translation>斜率</translation>
    </message>
    <message>
        <source>cov(A, B) / var(A); 1 where the run neither stretches nor shrinks the differences of tokens</source>
        <translation>cov(A, B) / var(A)；运行既不放大也不缩小 token 间差异时为 1</translation>
    </message>
    <message>
        <source>Correlation</source>
        <translation>相关系数</translation>
    </message>
    <message>
        <source>Of log π of baseline and run</source>
        <translation>基线与运行的 log π 之间</translation>
    </message>
    <message>
        <source>RMS left</source>
        <translation>剩余均方根</translation>
    </message>
    <message>
        <source>RMS of log π of the run around that line</source>
        <translation>运行的 log π 相对该直线的均方根</translation>
    </message>
    <message>
        <source>Of the errors</source>
        <translation>误差之间</translation>
    </message>
    <message>
        <source>Correlation of the errors of baseline and run against the reference: 1 where both err alike</source>
        <translation>基线与运行相对参考的误差之间的相关系数：两者误差相同时为 1</translation>
    </message>
    <message>
        <source>KL mean</source>
        <translation>KL 平均</translation>
    </message>
    <message>
        <source>KL(A ‖ B) in nats over the kept logits, mean of the tokens</source>
        <translation>由保留的 logits 计算的 KL(A ‖ B)，奈特，各 token 的平均值</translation>
    </message>
    <message>
        <source>KL max</source>
        <translation>KL 最大</translation>
    </message>
    <message>
        <source>KL(A ‖ B) in nats over the kept logits, of the worst token</source>
        <translation>由保留的 logits 计算的 KL(A ‖ B)，奈特，最差的 token</translation>
    </message>
    <message>
        <source>Same top, %</source>
        <translation>首选一致，%</translation>
    </message>
    <message>
        <source>Share of tokens whose most likely next token is the same</source>
        <translation>最可能的下一个 token 相同的 token 比例</translation>
    </message>
    <message>
        <source>At token</source>
        <translation>所在 token</translation>
    </message>
    <message>
        <source>Where the largest |δ| is: sequence and position</source>
        <translation>最大 |δ| 所在：序列与位置</translation>
    </message>
    <message>
        <source>%1 is farthest from %2: δ has an RMS of %3 nats, %4 % of the tokens are above %5, the largest is %6 at token %7</source>
        <translation>%1 与 %2 相差最远：δ 的均方根为 %3 奈特，%4 % 的 token 高于 %5，最大为 %6，位于 token %7</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>tokens below the clip range</source>
        <translation>低于裁剪范围的 token</translation>
    </message>
    <message>
        <source>documents below the clip range</source>
        <translation>低于裁剪范围的文档</translation>
    </message>
    <message>
        <source>tokens within the clip range</source>
        <translation>处于裁剪范围的 token</translation>
    </message>
    <message>
        <source>documents within the clip range</source>
        <translation>处于裁剪范围的文档</translation>
    </message>
    <message>
        <source>tokens above the clip range</source>
        <translation>高于裁剪范围的 token</translation>
    </message>
    <message>
        <source>documents above the clip range</source>
        <translation>高于裁剪范围的文档</translation>
    </message>
    <message>
        <source>tokens without a gradient</source>
        <translation>没有梯度的 token</translation>
    </message>
    <message>
        <source>documents without a gradient</source>
        <translation>没有梯度的文档</translation>
    </message>
    <message>
        <source>tokens whose clip decision flips</source>
        <translation>裁剪判定翻转的 token</translation>
    </message>
    <message>
        <source>documents whose clip decision flips</source>
        <translation>裁剪判定翻转的文档</translation>
    </message>
    <message>
        <source>tokens with a gradient in one run alone</source>
        <translation>仅在一次运行中有梯度的 token</translation>
    </message>
    <message>
        <source>documents with a gradient in one run alone</source>
        <translation>仅在一次运行中有梯度的文档</translation>
    </message>
    <message>
        <source>Of all tokens or documents of the term</source>
        <translation>占该损失项全部 token 或文档的比例</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>The token that was to be predicted; the tool tip has the text before it</source>
        <translation>需要预测的 token；提示中有它之前的文本</translation>
    </message>
    <message>
        <source>Sequence</source>
        <translation>序列</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Of the logits that predict the token, which itself stands one further</source>
        <translation>预测该 token 的 logits 的位置；token 本身在其后一位</translation>
    </message>
    <message>
        <source>log π of %1 less that of %2, nats</source>
        <translation>%1 的 log π 减去 %2 的 log π，奈特</translation>
    </message>
    <message>
        <source>log π, A</source>
        <translation>log π，A</translation>
    </message>
    <message>
        <source>Log-probability of the token in %1, nats</source>
        <translation>该 token 在 %1 中的对数概率，奈特</translation>
    </message>
    <message>
        <source>log π, B</source>
        <translation>log π，B</translation>
    </message>
    <message>
        <source>Value − baseline</source>
        <translation>值 − 基线</translation>
    </message>
    <message>
        <source>Those whose logits were kept: the last micro-batch of the first sample</source>
        <translation>保留了 logits 的 token：第一个样本的最后一个 micro-batch</translation>
    </message>
    <message>
        <source>Every finite log-probability equals that of %1</source>
        <translation>每个有限的对数概率都与 %1 的相等</translation>
    </message>
    <message>
        <source>%1 is of other tokens than %2; run both studies on the same input</source>
        <translation>%1 与 %2 的词元不同；请用同一输入运行两项研究</translation>
    </message>
    <message numerus="yes">
        <source>None of %n token(s) is finite both here and in %1.</source>
        <translation>
            <numerusform>%n 个词元中没有一个在此处和 %1 中都是有限值。</numerusform>
        </translation>
    </message>
    <message>
        <source>No token is finite both in %1 and in %2.</source>
        <translation>没有一个 token 在 %1 和 %2 中都是有限值。</translation>
    </message>
    <message>
        <source>Of the others %1 is farthest from %2: δ has an RMS of %3 nats, %4 % of the tokens are above %5, the largest is %6 at token %7</source>
        <translation>其余运行中 %1 与 %2 相差最远：δ 的均方根为 %3 奈特，%4 % 的 token 高于 %5，最大为 %6，位于 token %7</translation>
    </message>
</context>
<context>
    <name>ulp::views::LogProbabilitiesView</name>
    <message>
        <source>Tokens by the size of their difference instead of as they stand in the text</source>
        <translation>token 按差异大小排列，而不是按文本中的顺序</translation>
    </message>
    <message>
        <source>Counts on a logarithmic axis, on which single tokens far out can be seen</source>
        <translation>计数使用对数刻度，远处的单个 token 也能看到</translation>
    </message>
    <message>
        <source>Draw every run, not the selected one alone</source>
        <translation>绘制所有运行，而不只是所选的运行</translation>
    </message>
    <message>
        <source>Compare log-probabilities of the same tokens from another engine (.safetensors, .npy, .pt) with the baseline</source>
        <translation>将另一引擎对相同 token 给出的对数概率（.safetensors、.npy、.pt）与基线比较</translation>
    </message>
    <message>
        <source>Take away what was opened from other engines</source>
        <translation>移除从其他引擎打开的文件</translation>
    </message>
    <message>
        <source>ε, nats</source>
        <translation>ε，奈特</translation>
    </message>
    <message>
        <source>Tokens whose log-probability differs by more than this are counted</source>
        <translation>统计对数概率之差大于此值的 token</translation>
    </message>
    <message>
        <source>Stops comparing the kept logits; what is shown stays</source>
        <translation>停止比较保留的 logits；已显示的内容不变</translation>
    </message>
    <message>
        <source>Log-probabilities of the runs against the baseline</source>
        <translation>各运行相对基线的对数概率</translation>
    </message>
    <message>
        <source>Log-probabilities by token</source>
        <translation>逐 token 的对数概率</translation>
    </message>
    <message>
        <source>Losses and clip decisions</source>
        <translation>损失与裁剪判定</translation>
    </message>
    <message>
        <source>Histogram of the differences of log-probabilities</source>
        <translation>对数概率之差的直方图</translation>
    </message>
    <message>
        <source>Parts of the view</source>
        <translation>视图的各部分</translation>
    </message>
    <message>
        <source>Log-probabilities</source>
        <translation>对数概率</translation>
    </message>
    <message>
        <source>Losses and clips</source>
        <translation>损失与裁剪</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Worst tokens first</source>
        <translation>最差的 token 在前</translation>
    </message>
    <message>
        <source>Logarithmic counts</source>
        <translation>对数计数</translation>
    </message>
    <message>
        <source>All runs in the chart</source>
        <translation>图中显示所有运行</translation>
    </message>
    <message>
        <source>Open the file of another engine…</source>
        <translation>打开另一引擎的文件…</translation>
    </message>
    <message>
        <source>Close the files of other engines</source>
        <translation>关闭其他引擎的文件</translation>
    </message>
    <message>
        <source>Here the log-probability of every token is compared between the runs, and with other engines: the gap of trainer and sampler.</source>
        <translation>这里比较各运行之间以及与其他引擎之间每个 token 的对数概率：训练器与采样器之间的差距。</translation>
    </message>
    <message>
        <source>Nothing to compare with %1 yet</source>
        <translation>还没有可与 %1 比较的内容</translation>
    </message>
    <message>
        <source>A row appears here for each run that has finished. The file of another engine can be opened beside it.</source>
        <translation>每次运行完成后，这里会出现一行。也可以打开另一引擎的文件进行比较。</translation>
    </message>
    <message>
        <source>This report kept no log-probabilities</source>
        <translation>此报告没有保留对数概率</translation>
    </message>
    <message>
        <source>Every study of this version keeps them in log_probabilities.safetensors beside its report. Run the study again, or put the file back beside the report.</source>
        <translation>此版本的每项实验都会将其保存在报告旁的 log_probabilities.safetensors 中。请重新运行该实验，或将该文件放回报告旁。</translation>
    </message>
    <message>
        <source>The log-probabilities cannot be read</source>
        <translation>无法读取对数概率</translation>
    </message>
    <message>
        <source>Comparing the kept logits</source>
        <translation>正在比较保留的 logits</translation>
    </message>
    <message>
        <source>Open log-probabilities of another engine</source>
        <translation>打开另一引擎的对数概率</translation>
    </message>
    <message>
        <source>Log-probabilities (*.safetensors *.npy *.npz *.pt *.pth *.h5)</source>
        <translation>对数概率 (*.safetensors *.npy *.npz *.pt *.pth *.h5)</translation>
    </message>
    <message>
        <source>How far the runs are apart in the log-probabilities of the tokens, their losses and clip decisions</source>
        <translation>各运行在 token 对数概率、损失与裁剪判定上的差距</translation>
    </message>
    <message>
        <source>Reading the log-probabilities</source>
        <translation>正在读取对数概率</translation>
    </message>
    <message>
        <source>%1 has no log-probabilities; the tokens are those of %2.</source>
        <translation>%1 没有对数概率；所示 token 属于 %2。</translation>
    </message>
    <message>
        <source>Tokens of %1</source>
        <translation>%1 的 token</translation>
    </message>
    <message>
        <source>%1: no token has a finite log-probability</source>
        <translation>%1：没有任何 token 的对数概率是有限值</translation>
    </message>
    <message numerus="yes">
        <source>None of %n token(s) is finite both here and in %1.</source>
        <translation>
            <numerusform>%n 个 token 中没有一个在此处和 %1 中都是有限值。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 cannot be compared</source>
        <translation>%1 无法比较</translation>
    </message>
    <message>
        <source>Dumps have none. Studies keep those of every run, and compare them here.</source>
        <translation>转储中没有对数概率。实验会保存每次运行的对数概率，并在此比较。</translation>
    </message>
</context>
<context>
    <name>ulp::views::MappingEditor</name>
    <message>
        <source>Names of %1 in the words of %2</source>
        <translation>以 %2 的名称表示 %1 的名称</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>单元</translation>
    </message>
    <message>
        <source>The step or rank whose names are shown; the mapping is for all of them</source>
        <translation>显示其名称的步骤或进程；映射适用于所有单元</translation>
    </message>
    <message>
        <source>Only in %1</source>
        <translation>仅在 %1 中</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter of what is only in %1</source>
        <translation>筛选仅在 %1 中的内容</translation>
    </message>
    <message>
        <source>Names that hold these letters in this order</source>
        <translation>按此顺序包含这些字母的名称</translation>
    </message>
    <message>
        <source>&amp;Match the two chosen</source>
        <translation>匹配所选的两个(&amp;M)</translation>
    </message>
    <message>
        <source>Return in a list does the same; choosing a name at the left chooses its suggested partner at the right</source>
        <translation>在列表中按回车键效果相同；在左侧选择名称时，右侧会选中为其建议的对应项</translation>
    </message>
    <message>
        <source>Match all &amp;like them</source>
        <translation>匹配所有同类(&amp;L)</translation>
    </message>
    <message>
        <source>Makes a rule of the two: the same in every layer and of every expert</source>
        <translation>由这两个名称生成规则：对每一层和每个专家都适用</translation>
    </message>
    <message>
        <source>Matches every name whose suggested partner suggests it in turn</source>
        <translation>匹配所有互为建议对应项的名称</translation>
    </message>
    <message>
        <source>Rules and pairs of names</source>
        <translation>名称的规则与配对</translation>
    </message>
    <message>
        <source>Names that match, as ^h\.(\d+)</source>
        <translation>匹配的名称，例如 ^h\.(\d+)</translation>
    </message>
    <message>
        <source>Regular expression of names</source>
        <translation>名称的正则表达式</translation>
    </message>
    <message>
        <source>read as, as model.layers.$1</source>
        <translation>读作，例如 model.layers.$1</translation>
    </message>
    <message>
        <source>What matching names read as</source>
        <translation>匹配的名称读作什么</translation>
    </message>
    <message>
        <source>Effect of the rule</source>
        <translation>规则的效果</translation>
    </message>
    <message>
        <source>&amp;Add rule</source>
        <translation>添加规则(&amp;A)</translation>
    </message>
    <message>
        <source>Adds the rule behind the others</source>
        <translation>将规则添加在其他规则之后</translation>
    </message>
    <message>
        <source>&amp;Change rule</source>
        <translation>更改规则(&amp;C)</translation>
    </message>
    <message>
        <source>Puts the rule in the place of the chosen one</source>
        <translation>用此规则替换所选规则</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <source>Removes the chosen rules and pairs</source>
        <translation>移除所选的规则与配对</translation>
    </message>
    <message>
        <source>Rules and pairs</source>
        <translation>规则与配对</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>Take back the last change</source>
        <translation>撤销上一次更改</translation>
    </message>
    <message>
        <source>Red&amp;o</source>
        <translation>重做(&amp;O)</translation>
    </message>
    <message>
        <source>Make the change again that was taken back</source>
        <translation>重新执行已撤销的更改</translation>
    </message>
    <message>
        <source>Read a mapping file in place of this mapping</source>
        <translation>读取映射文件以替换此映射</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>保存(&amp;S)…</translation>
    </message>
    <message>
        <source>Write the file that ulpscope-cli compare --map reads</source>
        <translation>写出 ulpscope-cli compare --map 所读取的文件</translation>
    </message>
    <message>
        <source>Compare a&amp;gain</source>
        <translation>重新比较(&amp;G)</translation>
    </message>
    <message>
        <source>Compare the dumps again with this mapping</source>
        <translation>用此映射重新比较转储</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close this window</source>
        <translation>关闭此窗口</translation>
    </message>
    <message numerus="yes">
        <source>Match %n sure suggestion(s)</source>
        <translation>
            <numerusform>匹配 %n 个可靠的建议</numerusform>
        </translation>
    </message>
    <message>
        <source>These two have no tensor of the same role and pass, by which they could be matched.</source>
        <translation>这两项没有角色和传播方向都相同的张量，无法据此匹配。</translation>
    </message>
    <message>
        <source>Close the mapping</source>
        <translation>关闭映射</translation>
    </message>
    <message>
        <source>The mapping was changed and neither applied nor saved.</source>
        <translation>映射已更改，但既未应用也未保存。</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Keep editing</source>
        <translation>继续编辑</translation>
    </message>
    <message>
        <source>The dumps cannot be opened.</source>
        <translation>无法打开转储。</translation>
    </message>
    <message>
        <source>Reading the dumps…</source>
        <translation>正在读取转储…</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>以及另外 %1 个</translation>
    </message>
    <message>
        <source>%1 (baseline)</source>
        <translation>%1（基线）</translation>
    </message>
    <message>
        <source>%1 (candidate)</source>
        <translation>%1（候选）</translation>
    </message>
    <message>
        <source>changes no name</source>
        <translation>不改变任何名称</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Pair</source>
        <translation>配对</translation>
    </message>
    <message>
        <source>Name in the candidate</source>
        <translation>候选中的名称</translation>
    </message>
    <message>
        <source>Reads as</source>
        <translation>读作</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>效果</translation>
    </message>
    <message>
        <source>Loa&amp;d…</source>
        <translation>加载(&amp;D)…</translation>
    </message>
    <message>
        <source>All calls are matched: %1.</source>
        <translation>所有调用均已匹配：%1 个。</translation>
    </message>
    <message>
        <source>Matched calls: %1. The names below have no partner.</source>
        <translation>已匹配的调用：%1 个。以下名称没有对应项。</translation>
    </message>
    <message>
        <source>Tensors of matched calls without a partner: %1.</source>
        <translation>已匹配的调用中没有对应项的张量：%1 个。</translation>
    </message>
    <message>
        <source>names changed: %1; none of them is in the baseline then</source>
        <translation>改变的名称：%1 个；改变后均不在基线中</translation>
    </message>
    <message>
        <source>names changed: %1; all of them are in the baseline then</source>
        <translation>改变的名称：%1 个；改变后全部在基线中</translation>
    </message>
    <message>
        <source>names changed: %1; in the baseline then: %2</source>
        <translation>改变的名称：%1 个；改变后在基线中的：%2 个</translation>
    </message>
</context>
<context>
    <name>ulp::views::MappingHistory</name>
    <message>
        <source>match of %1</source>
        <translation>匹配 %1</translation>
    </message>
    <message numerus="yes">
        <source>match of %n name(s)</source>
        <translation>
            <numerusform>匹配 %n 个名称</numerusform>
        </translation>
    </message>
    <message>
        <source>new rule</source>
        <translation>新规则</translation>
    </message>
    <message>
        <source>change of a rule</source>
        <translation>更改规则</translation>
    </message>
    <message>
        <source>removal</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>loaded mapping</source>
        <translation>加载的映射</translation>
    </message>
</context>
<context>
    <name>ulp::views::MemoryLine</name>
    <message>
        <source>Memory of the worker over time</source>
        <translation>工作进程的内存变化</translation>
    </message>
    <message>
        <source>Memory of the worker from its start until now, from zero to its peak</source>
        <translation>工作进程从启动至今的内存，从零到峰值</translation>
    </message>
</context>
<context>
    <name>ulp::views::MessageBar</name>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
</context>
<context>
    <name>ulp::views::MessageRow</name>
    <message>
        <source>Copy message</source>
        <translation>复制消息</translation>
    </message>
    <message>
        <source>Dismiss message</source>
        <translation>关闭消息</translation>
    </message>
</context>
<context>
    <name>ulp::views::MetricText</name>
    <message>
        <source>Lower is better.</source>
        <translation>越低越好。</translation>
    </message>
    <message>
        <source>Higher is better.</source>
        <translation>越高越好。</translation>
    </message>
    <message>
        <source>F1 defines it.</source>
        <translation>按 F1 查看定义。</translation>
    </message>
</context>
<context>
    <name>ulp::views::Noise</name>
    <message>
        <source>within the noise of %1</source>
        <translation>在 %1 的噪声范围内</translation>
    </message>
    <message>
        <source>noise floor: %1</source>
        <translation>噪声基底：%1</translation>
    </message>
    <message>
        <source>noise: %1</source>
        <translation>噪声：%1</translation>
    </message>
    <message>
        <source>within the noise floor: %1</source>
        <translation>在噪声基底范围内：%1</translation>
    </message>
    <message>
        <source>the noise floor is not known here: it was measured against %1</source>
        <translation>此处的噪声基底未知：它是对照 %1 测得的</translation>
    </message>
    <message>
        <source>the noise floor says nothing of %1, compared with another reference</source>
        <translation>噪声基底不适用于 %1，其对照的是另一参考</translation>
    </message>
</context>
<context>
    <name>ulp::views::OpenNamesModel</name>
    <message>
        <source>%1 in %2</source>
        <translation>%2 中的 %1</translation>
    </message>
    <message>
        <source>Nothing on the other side is like it</source>
        <translation>另一侧没有与之相似的名称</translation>
    </message>
    <message>
        <source>Names alike %1; the shapes of the tensors are not known</source>
        <translation>名称相似度 %1；张量的形状未知</translation>
    </message>
    <message>
        <source>Names alike %1, tensors %2</source>
        <translation>名称相似度 %1，张量相似度 %2</translation>
    </message>
    <message>
        <source>Each is the other&apos;s best partner</source>
        <translation>两者互为最佳对应项</translation>
    </message>
    <message>
        <source>It is more like another one itself</source>
        <translation>它自身与另一个更相似</translation>
    </message>
    <message>
        <source>How alike names, shapes and dtypes are, from 0 to 1</source>
        <translation>名称、形状和数据类型的相似度，从 0 到 1</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>传播方向</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Suggested partner</source>
        <translation>建议的对应项</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>得分</translation>
    </message>
</context>
<context>
    <name>ulp::views::OtherInputs</name>
    <message>
        <source>other tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>other weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>other settings of the study (%1)</source>
        <translation>研究的设置（%1）</translation>
    </message>
    <message>
        <source>%1 than %2</source>
        <translation>%1与 %2 不同</translation>
    </message>
    <message>
        <source>%1: %2; what differs is not precision alone</source>
        <translation>%1：%2；差异不仅来自精度</translation>
    </message>
</context>
<context>
    <name>ulp::views::OverrideDelegate</name>
    <message>
        <source>not overridden</source>
        <translation>未覆盖</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
</context>
<context>
    <name>ulp::views::Overview</name>
    <message>
        <source>%1 elements are not finite</source>
        <translation>%1 个元素非有限</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>curve of the error by depth</source>
        <translation>各深度误差曲线</translation>
    </message>
    <message>
        <source>no curve yet</source>
        <translation>暂无曲线</translation>
    </message>
    <message>
        <source>By depth</source>
        <translation>按深度</translation>
    </message>
    <message>
        <source>The metric along the layers, forward then backward, on one scale for all variants; triangles mark values that are not finite</source>
        <translation>指标沿各层的变化，先前向后反向，所有变体使用同一刻度；三角形标记非有限值</translation>
    </message>
    <message>
        <source>within the noise, which need not mean anything</source>
        <translation>在噪声范围内，不一定有意义</translation>
    </message>
    <message>
        <source>Flips</source>
        <translation>翻转</translation>
    </message>
    <message>
        <source>Clip decisions that are others than in the reference</source>
        <translation>与参考不同的裁剪判定</translation>
    </message>
    <message>
        <source>noise: %1</source>
        <translation>噪声：%1</translation>
    </message>
    <message>
        <source>dim: %1</source>
        <translation>灰色：%1</translation>
    </message>
    <message>
        <source>±: 95 % interval of the mean over the samples</source>
        <translation>±：各样本均值的 95 % 区间</translation>
    </message>
    <message>
        <source>%1 noise</source>
        <translation>%1 噪声</translation>
    </message>
    <message>
        <source>beside %1</source>
        <translation>在 %1 旁</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 及另外 %2 项</translation>
    </message>
    <message>
        <source>The reports differ in %1</source>
        <translation>报告在 %1 上不同</translation>
    </message>
    <message>
        <source>The runs that the reports share are equal bit for bit</source>
        <translation>报告共有的运行逐位相等</translation>
    </message>
    <message>
        <source>equal bit for bit: %1</source>
        <translation>逐位相等：%1</translation>
    </message>
    <message>
        <source>not in the first report: %1</source>
        <translation>第一份报告中没有：%1</translation>
    </message>
    <message>
        <source>Starts at</source>
        <translation>始于</translation>
    </message>
    <message>
        <source>The call where the error starts, and why</source>
        <translation>误差开始的调用及其原因</translation>
    </message>
    <message>
        <source>Born at</source>
        <translation>产生于</translation>
    </message>
    <message>
        <source>The first tensor whose error exceeds what its inputs explain: what came in and what it has</source>
        <translation>误差首次超出其输入所能解释的张量：输入的误差与其自身的误差</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单元</translation>
    </message>
    <message>
        <source>How sure</source>
        <translation>确定程度</translation>
    </message>
    <message>
        <source>The largest rise of the relative error along the layers, forward</source>
        <translation>前向各层间相对误差的最大上升</translation>
    </message>
    <message>
        <source>The worst number among the outputs of layers and their gradients</source>
        <translation>各层输出及其梯度中最差的数值</translation>
    </message>
    <message>
        <source>Helps most</source>
        <translation>最有效</translation>
    </message>
    <message>
        <source>The one setting that lowers the error of the logits most, among the variants that differ in it alone</source>
        <translation>在仅有一项设置不同的变体中，使 logits 误差降低最多的那项设置</translation>
    </message>
    <message>
        <source>In the first report</source>
        <translation>在第一份报告中</translation>
    </message>
    <message>
        <source>Whether the run of this name there has the same numbers</source>
        <translation>其中同名的运行是否有相同的数值</translation>
    </message>
    <message>
        <source>The call that makes NaN or infinity</source>
        <translation>产生 NaN 或无穷的调用</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Other experts</source>
        <translation>其他专家</translation>
    </message>
    <message>
        <source>Other experts, %</source>
        <translation>其他专家，%</translation>
    </message>
    <message>
        <source>Tokens for which routers choose other experts than in the reference, of all layers</source>
        <translation>在所有层中，路由器选择了与参考不同专家的 token</translation>
    </message>
    <message>
        <source>Worst layer</source>
        <translation>最差的层</translation>
    </message>
    <message>
        <source>Grows forward</source>
        <translation>前向增长</translation>
    </message>
</context>
<context>
    <name>ulp::views::OverviewView</name>
    <message>
        <source>Here each variant has a row: where in the pass it loses precision, its loss and its time.</source>
        <translation>这里每个变体占一行：它在传播过程中何处丢失精度、其损失和用时。</translation>
    </message>
    <message>
        <source>Summary of the variants</source>
        <translation>变体汇总</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Where each variant loses precision, at a glance</source>
        <translation>一眼看清每个变体在何处丢失精度</translation>
    </message>
    <message>
        <source>Summary of the variants: %1</source>
        <translation>变体汇总：%1</translation>
    </message>
    <message>
        <source>Verdict on the variants</source>
        <translation>对各变体的结论</translation>
    </message>
    <message>
        <source>cannot be asked</source>
        <translation>无法检查</translation>
    </message>
    <message>
        <source>being asked…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Rules %1</source>
        <translation>规则 %1</translation>
    </message>
    <message>
        <source>Show the rules and what each of them says</source>
        <translation>显示规则及每条规则的结果</translation>
    </message>
</context>
<context>
    <name>ulp::views::PalettePopup</name>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>The best %1 of %2</source>
        <translation>最佳的 %1 项，共 %2 项</translation>
    </message>
    <message>
        <source>Matches: %1</source>
        <translation>匹配：%1</translation>
    </message>
</context>
<context>
    <name>ulp::views::ParallelChart</name>
    <message>
        <source>Settings and errors of the variants</source>
        <translation>各变体的设置与误差</translation>
    </message>
    <message numerus="yes">
        <source>%n variants over settings and errors (%1).</source>
        <translation>
            <numerusform>%n 个变体的设置与误差（%1）。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2 elements are not finite</source>
        <translation>%1，%2 个元素非有限</translation>
    </message>
    <message>
        <source>%1 elements are not finite</source>
        <translation>%1 个元素非有限</translation>
    </message>
</context>
<context>
    <name>ulp::views::PassText</name>
    <message>
        <source>Forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>Parameter gradients</source>
        <translation>参数梯度</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Forward →</source>
        <translation>前向 →</translation>
    </message>
    <message>
        <source>Backward →</source>
        <translation>反向 →</translation>
    </message>
</context>
<context>
    <name>ulp::views::PrintedPages</name>
    <message>
        <source>page %1</source>
        <translation>第 %1 页</translation>
    </message>
</context>
<context>
    <name>ulp::views::RecentlyOpened</name>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>研究</translation>
    </message>
</context>
<context>
    <name>ulp::views::ReportDocument</name>
    <message>
        <source>%1 against %2</source>
        <translation>%1 对比 %2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 的 %1</translation>
    </message>
    <message>
        <source>that of the run ÷ that of %1; %2</source>
        <translation>该运行的值 ÷ %1 的值；%2</translation>
    </message>
    <message>
        <source>that of the run − that of %1; %2</source>
        <translation>该运行的值 − %1 的值；%2</translation>
    </message>
    <message>
        <source>of several formats</source>
        <translation>（多种格式）</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>（%1）</translation>
    </message>
</context>
<context>
    <name>ulp::views::ReportPalette</name>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
</context>
<context>
    <name>ulp::views::ReportRules</name>
    <message>
        <source>Rules are asked of errors, not of how they stand to those of a baseline: show the errors</source>
        <translation>规则针对误差本身，而不是误差与基线误差的关系：请改为显示误差</translation>
    </message>
    <message>
        <source>The elements are being read</source>
        <translation>正在读取元素</translation>
    </message>
</context>
<context>
    <name>ulp::views::ReportSet</name>
    <message>
        <source>Comparing the kept tensors of every run with those of %1…</source>
        <translation>正在将每次运行保留的张量与 %1 的张量比较…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Show errors as multiples of its errors</source>
        <translation>将误差显示为其误差的倍数</translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) could not be compared: kept by one of two runs only, or in another shape.</source>
        <translation>
            <numerusform>%n 个张量无法比较：仅由两次运行之一保留，或形状不同。</numerusform>
        </translation>
    </message>
    <message>
        <source>The example is shown without its tensors, which could not be unpacked: %1</source>
        <translation>示例未显示张量，因为无法解包：%1</translation>
    </message>
    <message>
        <source>Compared without the mapping file, whose names are those of %1.</source>
        <translation>比较时未使用映射文件，因为其中的名称属于 %1。</translation>
    </message>
</context>
<context>
    <name>ulp::views::ReportWatch</name>
    <message>
        <source>%1 holds %2 of %3 runs. If the others are still being made, they appear here by themselves.</source>
        <translation>%1 目前包含 %2 个运行（共 %3 个）。如果其余运行仍在进行，其结果会自动显示在此处。</translation>
    </message>
    <message>
        <source>%1 was written anew by another program.</source>
        <translation>%1 已被其他程序重新写入。</translation>
    </message>
    <message>
        <source>Show what it holds now</source>
        <translation>显示其最新内容</translation>
    </message>
</context>
<context>
    <name>ulp::views::RuleCheckView</name>
    <message>
        <source>Variants judged by the rules</source>
        <translation>按规则判定的变体</translation>
    </message>
    <message>
        <source>Outcome of each rule</source>
        <translation>每条规则的结果</translation>
    </message>
    <message>
        <source>Here you choose rules of what must hold, such as tolerances, and see which variants pass.</source>
        <translation>在这里选择必须满足的规则（如容差），并查看哪些变体通过。</translation>
    </message>
    <message>
        <source>%1 · reading elements…</source>
        <translation>%1 · 正在读取元素…</translation>
    </message>
    <message>
        <source>Asking the rules…</source>
        <translation>正在按规则检查…</translation>
    </message>
    <message>
        <source>Choose rules at the left, or write some: every row of the table then says whether it passes. NaN and infinities that the baseline does not have fail, unless a rule allows them.</source>
        <translation>在左侧选择或编写规则：表格的每一行随后会显示是否通过。基线中没有的 NaN 和无穷大不予通过，除非有规则允许。</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>What must hold of every tensor, and what does not</source>
        <translation>每个张量必须满足的规则，以及不满足之处</translation>
    </message>
    <message>
        <source>%1
Tensors could not be read: %2</source>
        <translation>%1
有张量无法读取：%2</translation>
    </message>
</context>
<context>
    <name>ulp::views::RuleVerdicts</name>
    <message>
        <source>pass</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>fail</source>
        <translation>未通过</translation>
    </message>
    <message>
        <source>not judged</source>
        <translation>未判定</translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n 个警告</numerusform>
        </translation>
    </message>
    <message>
        <source>reading elements…</source>
        <translation>正在读取元素…</translation>
    </message>
    <message numerus="yes">
        <source>fail: %1 of %n tensor(s)</source>
        <translation>
            <numerusform>未通过：%n 个张量中的 %1 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>pass: %1 of %n tensor(s)</source>
        <translation>
            <numerusform>通过：%n 个张量中的 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source>not judged: %1</source>
        <translation>未判定：%1</translation>
    </message>
</context>
<context>
    <name>ulp::views::RulesEditor</name>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Put into the rules</source>
        <translation>写入规则</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Text of the rules</source>
        <translation>规则文本</translation>
    </message>
    <message>
        <source>Ask these rules of the report (Ctrl+Return)</source>
        <translation>用这些规则检查报告 (Ctrl+Return)</translation>
    </message>
    <message>
        <source>|variant − reference| ≤ atol + rtol · |reference| for every element</source>
        <translation>每个元素满足 |变体 − 参考| ≤ atol + rtol · |参考|</translation>
    </message>
    <message>
        <source>No rules</source>
        <translation>无规则</translation>
    </message>
    <message>
        <source>Rules of your own</source>
        <translation>自定义规则</translation>
    </message>
    <message>
        <source>Open rules</source>
        <translation>打开规则</translation>
    </message>
    <message>
        <source>Rules (*.yaml *.yml)</source>
        <translation>规则 (*.yaml *.yml)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Save the rules</source>
        <translation>保存规则</translation>
    </message>
    <message>
        <source>Line %1, column %2: %3</source>
        <translation>第 %1 行，第 %2 列：%3</translation>
    </message>
    <message>
        <source>Changed, not applied</source>
        <translation>已更改，尚未应用</translation>
    </message>
    <message>
        <source>No rules are asked</source>
        <translation>未使用规则</translation>
    </message>
    <message>
        <source>These rules are asked</source>
        <translation>正在使用这些规则</translation>
    </message>
</context>
<context>
    <name>ulp::views::RunLauncher</name>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>%1 already holds the results of this study.</source>
        <translation>%1 中已有此研究的全部结果。</translation>
    </message>
    <message>
        <source>Open them</source>
        <translation>打开结果</translation>
    </message>
    <message>
        <source>%1 already holds results of this study: %2 of %3 runs are finished. Resume keeps them and makes the others.</source>
        <translation>%1 中已有此研究的结果：%3 次运行中已完成 %2 次。“继续”会保留它们并完成其余运行。</translation>
    </message>
    <message>
        <source>%1 holds results that this study cannot continue: %2.</source>
        <translation>%1 中的结果无法由此研究继续：%2。</translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>新文件夹</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message numerus="yes">
        <source>%n variant(s) failed and would be tried again.</source>
        <translation>
            <numerusform>%n 个变体失败，将会重试。</numerusform>
        </translation>
    </message>
    <message>
        <source>Resume without them</source>
        <translation>不含它们继续</translation>
    </message>
    <message>
        <source>Running %1 executes code that is not Ulpscope&apos;s, with all rights that you have: %2. Run it only if you trust whoever wrote it.</source>
        <translation>运行 %1 会以您的全部权限执行不属于 Ulpscope 的代码：%2。请仅在信任其作者时运行。</translation>
    </message>
    <message>
        <source>Run it</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>%1 already holds results of this study: %2 of %3 runs are finished, the others have %4 of %5 samples. Resume keeps all of that and makes the rest.</source>
        <translation>%1 中已有此研究的结果：%3 次运行中已完成 %2 次，其余运行已有 %5 个样本中的 %4 个。“继续”会保留这一切并完成其余部分。</translation>
    </message>
</context>
<context>
    <name>ulp::views::Runs</name>
    <message>
        <source>stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Queue of studies</source>
        <translation>实验队列</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Done of the whole study</source>
        <translation>整个实验的完成程度</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>剩余</translation>
    </message>
    <message>
        <source>Time left, once one run has been timed</source>
        <translation>剩余时间，在测得一次运行的用时之后显示</translation>
    </message>
    <message>
        <source>Elapsed</source>
        <translation>已用</translation>
    </message>
    <message>
        <source>Since the worker was started</source>
        <translation>自工作进程启动以来</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Main memory of the worker: now, or the most that it had</source>
        <translation>工作进程的内存：当前值，或曾达到的最大值</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Folder of the results</source>
        <translation>结果文件夹</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Forward and backward pass alone: %1</source>
        <translation>仅前向和反向：%1</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Done of this run</source>
        <translation>此次运行的完成程度</translation>
    </message>
    <message>
        <source>Time left of this run, once one has been timed</source>
        <translation>此次运行的剩余时间，在测得一次运行的用时之后显示</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>内存峰值</translation>
    </message>
    <message>
        <source>The most memory of the device; on the CPU of the whole worker</source>
        <translation>设备内存的最大值；在 CPU 上为整个工作进程的最大值</translation>
    </message>
    <message>
        <source>Where, or why not</source>
        <translation>位置或原因</translation>
    </message>
    <message>
        <source>Pass and module where the run is, or why it failed</source>
        <translation>运行所在的阶段和模块，或失败的原因</translation>
    </message>
    <message>
        <source>Runs of %1</source>
        <translation>%1 的运行</translation>
    </message>
    <message>
        <source>died</source>
        <translation>已异常终止</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>to be skipped</source>
        <translation>将跳过</translation>
    </message>
    <message>
        <source>load</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>write</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>choose tokens</source>
        <translation>选取 token</translation>
    </message>
    <message>
        <source>In which the run went on: passes, casts, comparisons, writing</source>
        <translation>该运行进行的时间：前向、反向、转换、比较、写入</translation>
    </message>
</context>
<context>
    <name>ulp::views::RunsView</name>
    <message>
        <source>Nothing has been run</source>
        <translation>尚未运行任何实验</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Show results</source>
        <translation>显示结果</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>The queue of studies and their log</source>
        <translation>实验队列及其日志</translation>
    </message>
    <message>
        <source>Queue of studies</source>
        <translation>实验队列</translation>
    </message>
    <message>
        <source>Pause the queue</source>
        <translation>暂停队列</translation>
    </message>
    <message>
        <source>Start no further study; the one that runs goes on to its end</source>
        <translation>不再启动新的实验；正在运行的会运行到结束</translation>
    </message>
    <message>
        <source>Add studies…</source>
        <translation>添加实验…</translation>
    </message>
    <message>
        <source>Choose study files; they run one after the other</source>
        <translation>选择实验文件，它们会依次运行</translation>
    </message>
    <message>
        <source>Stop this study; what is finished stays</source>
        <translation>停止此实验；已完成的部分会保留</translation>
    </message>
    <message>
        <source>Skip variant</source>
        <translation>跳过变体</translation>
    </message>
    <message>
        <source>Leave out the chosen variant, or the one that runs; the study goes on with the next</source>
        <translation>跳过所选的变体或正在运行的变体；实验继续运行下一个</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Run what failed, was stopped or is missing; what is finished is kept</source>
        <translation>运行失败、被停止或缺少的部分；已完成的会保留</translation>
    </message>
    <message>
        <source>Run this variant</source>
        <translation>运行此变体</translation>
    </message>
    <message>
        <source>Run this variant alone; what is finished is kept</source>
        <translation>只运行此变体；已完成的会保留</translation>
    </message>
    <message>
        <source>Edit and run again</source>
        <translation>编辑后重新运行</translation>
    </message>
    <message>
        <source>Open the study in the editor, with a new folder for its results</source>
        <translation>在编辑器中打开该实验，并使用新的结果文件夹</translation>
    </message>
    <message>
        <source>Open the report of this study and follow it</source>
        <translation>打开此实验的报告并跟随其更新</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Start this study earlier</source>
        <translation>更早启动此实验</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Start this study later</source>
        <translation>更晚启动此实验</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation>从列表中移除</translation>
    </message>
    <message>
        <source>Take this study off the list; its files stay</source>
        <translation>从列表中移除此实验；其文件会保留</translation>
    </message>
    <message>
        <source>Copy log</source>
        <translation>复制日志</translation>
    </message>
    <message>
        <source>Copy the messages that are shown in the log</source>
        <translation>复制日志中显示的消息</translation>
    </message>
    <message>
        <source>Skip %1</source>
        <translation>跳过 %1</translation>
    </message>
    <message>
        <source>Run a study, or drop study files here, to see its progress and its log.</source>
        <translation>运行实验，或将实验文件拖放到此处，即可看到其进度和日志。</translation>
    </message>
    <message>
        <source>The queue is paused: nothing new starts.</source>
        <translation>队列已暂停：不会启动新的实验。</translation>
    </message>
    <message>
        <source>Runs of the study</source>
        <translation>实验的运行</translation>
    </message>
    <message>
        <source>Runs of %1</source>
        <translation>%1 的运行</translation>
    </message>
    <message>
        <source>Resume without what failed</source>
        <translation>不含失败的变体继续</translation>
    </message>
    <message>
        <source>Run what was stopped or is missing; variants that failed are not tried again</source>
        <translation>运行被停止或缺少的部分；失败的变体不再尝试</translation>
    </message>
</context>
<context>
    <name>ulp::views::ScaleBar</name>
    <message>
        <source>Not finite</source>
        <translation>非有限</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>Above the range</source>
        <translation>高于范围</translation>
    </message>
    <message>
        <source>Below the range</source>
        <translation>低于范围</translation>
    </message>
</context>
<context>
    <name>ulp::views::SettingsDialog</name>
    <message>
        <source>No setting is called that.</source>
        <translation>没有符合的设置。</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Kept in %1</source>
        <translation>保存于 %1</translation>
    </message>
    <message>
        <source>&amp;Reset this page</source>
        <translation>重置此页(&amp;R)</translation>
    </message>
    <message>
        <source>All settings of this page back to their defaults</source>
        <translation>将此页的所有设置恢复为默认值</translation>
    </message>
</context>
<context>
    <name>ulp::views::SettingsStore</name>
    <message>
        <source>settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>%1 (%2) could not be read. It was kept as %3, and the program starts with what it brings.</source>
        <translation>无法读取 %1（%2）。已将其另存为 %3，程序以默认值启动。</translation>
    </message>
    <message>
        <source>%1 (%2) could not be read and could not be set aside: %3. The program starts with what it brings.</source>
        <translation>无法读取 %1（%2），也无法将其移开：%3。程序以默认值启动。</translation>
    </message>
    <message>
        <source>%1 cannot be written: settings that you change hold until the program ends.</source>
        <translation>无法写入 %1：更改的设置仅在程序结束前有效。</translation>
    </message>
</context>
<context>
    <name>ulp::views::Severity</name>
    <message>
        <source>fine</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>look</source>
        <translation>注意</translation>
    </message>
    <message>
        <source>broken</source>
        <translation>异常</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已跳过</translation>
    </message>
</context>
<context>
    <name>ulp::views::ShortcutEditor</name>
    <message>
        <source>Shortcuts (*.json)</source>
        <translation>快捷键 (*.json)</translation>
    </message>
    <message>
        <source>&amp;Assign</source>
        <translation>指定(&amp;A)</translation>
    </message>
    <message>
        <source>No &amp;keys</source>
        <translation>无按键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Default</source>
        <translation>默认(&amp;D)</translation>
    </message>
    <message>
        <source>All to de&amp;faults</source>
        <translation>全部恢复默认(&amp;F)</translation>
    </message>
    <message>
        <source>Search for a command or a key</source>
        <translation>搜索命令或按键</translation>
    </message>
    <message>
        <source>Commands and their keys</source>
        <translation>命令及其按键</translation>
    </message>
    <message>
        <source>New keys</source>
        <translation>新按键</translation>
    </message>
    <message>
        <source>Who has these keys</source>
        <translation>这些按键的归属</translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation>导入(&amp;I)…</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;New keys:</source>
        <translation>新按键(&amp;N)：</translation>
    </message>
    <message>
        <source>By default: %1</source>
        <translation>默认：%1</translation>
    </message>
    <message>
        <source>%1 belongs to “%2”. Choose other keys, or take them from there first.</source>
        <translation>%1 已属于“%2”。请选择其他按键，或先从该命令中移除。</translation>
    </message>
    <message>
        <source>Import shortcuts</source>
        <translation>导入快捷键</translation>
    </message>
    <message>
        <source>Export shortcuts</source>
        <translation>导出快捷键</translation>
    </message>
    <message>
        <source>Imported from %1.</source>
        <translation>已从 %1 导入。</translation>
    </message>
    <message>
        <source>Exported to %1.</source>
        <translation>已导出到 %1。</translation>
    </message>
</context>
<context>
    <name>ulp::views::ShortcutScheme</name>
    <message>
        <source>This is not a scheme of shortcuts: “format” must be “%1”.</source>
        <translation>这不是快捷键方案：“format”必须为“%1”。</translation>
    </message>
    <message>
        <source>%1: “%2” names no key.</source>
        <translation>%1：“%2”不是有效的按键。</translation>
    </message>
    <message>
        <source>“%1” and “%2” would share %3. Nothing was changed.</source>
        <translation>“%1”和“%2”将共用 %3。未做任何更改。</translation>
    </message>
</context>
<context>
    <name>ulp::views::ShortcutSheet</name>
    <message>
        <source>In every chart</source>
        <translation>所有图表中</translation>
    </message>
    <message>
        <source>Previous or next tensor</source>
        <translation>上一个或下一个张量</translation>
    </message>
    <message>
        <source>Previous or next variant</source>
        <translation>上一个或下一个变体</translation>
    </message>
    <message>
        <source>First or last tensor</source>
        <translation>第一个或最后一个张量</translation>
    </message>
    <message>
        <source>Zoom in or out</source>
        <translation>放大或缩小</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Go deeper</source>
        <translation>深入查看</translation>
    </message>
    <message>
        <source>Keyboard shortcuts of Ulpscope</source>
        <translation>Ulpscope 键盘快捷键</translation>
    </message>
    <message>
        <source>No shortcut is called that.</source>
        <translation>没有符合的快捷键。</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Search for a command or a key</source>
        <translation>搜索命令或按键</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>&amp;Print…</source>
        <translation>打印(&amp;P)…</translation>
    </message>
</context>
<context>
    <name>ulp::views::SiteText</name>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>parameter gradient</source>
        <translation>参数梯度</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
</context>
<context>
    <name>ulp::views::SliceBar</name>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Slice as NumPy writes it: 0, :, 5:10, ::2, …</source>
        <translation>NumPy 写法的切片：0, :, 5:10, ::2, …</translation>
    </message>
    <message>
        <source>everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Slice</source>
        <translation>切片</translation>
    </message>
    <message>
        <source>folded</source>
        <translation>已折叠</translation>
    </message>
    <message>
        <source>Position in %1</source>
        <translation>%1 中的位置</translation>
    </message>
</context>
<context>
    <name>ulp::views::Spread</name>
    <message>
        <source>95 % interval of the mean: ±%1</source>
        <translation>均值的 95 % 区间：±%1</translation>
    </message>
    <message>
        <source>standard deviation: %1</source>
        <translation>标准差：%1</translation>
    </message>
    <message>
        <source>smallest: %1, largest: %2</source>
        <translation>最小：%1，最大：%2</translation>
    </message>
    <message>
        <source>mean of %1 samples</source>
        <translation>%1 个样本的均值</translation>
    </message>
    <message>
        <source>mean of the %1 of %2 samples in which it is a finite number</source>
        <translation>%2 个样本中 %1 个为有限值，取其均值</translation>
    </message>
</context>
<context>
    <name>ulp::views::StudyDocument</name>
    <message>
        <source>The new study</source>
        <translation>新实验</translation>
    </message>
    <message>
        <source>%1 was closed with edits that are not saved.</source>
        <translation>%1 已关闭，但有未保存的修改。</translation>
    </message>
    <message>
        <source>Bring it back</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>recovery</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>typing</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>%1: changed by another program since it was read; nothing was written</source>
        <translation>%1：读取后已被其他程序更改；未写入任何内容</translation>
    </message>
</context>
<context>
    <name>ulp::views::StudyForecast</name>
    <message>
        <source>Sites as the model&apos;s configuration tells.</source>
        <translation>位置依据模型配置得出。</translation>
    </message>
    <message>
        <source>The token file decides how much is computed.</source>
        <translation>计算量由 token 文件决定。</translation>
    </message>
    <message>
        <source>from the run of %1 on %2, scaled to what is captured now</source>
        <translation>依据 %1 在 %2 上的运行，按当前捕获内容折算</translation>
    </message>
    <message>
        <source>rough: from shapes and assumed speeds; cores: %1</source>
        <translation>粗略：根据形状和假定速度；核心数：%1</translation>
    </message>
    <message>
        <source>Sites of the open report; the model&apos;s could not be read.</source>
        <translation>采用打开的报告中的位置；无法读取模型的位置。</translation>
    </message>
    <message>
        <source>Which sites there are is known once the model can be read.</source>
        <translation>能够读取模型之后才知道有哪些位置。</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 小时</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>约 %1</translation>
    </message>
    <message>
        <source>time not known</source>
        <translation>用时未知</translation>
    </message>
    <message>
        <source>%1, %2 of memory, %3 on disk</source>
        <translation>%1，内存 %2，磁盘 %3</translation>
    </message>
    <message>
        <source>%1 of %2 sites are captured.</source>
        <translation>捕获 %2 个位置中的 %1 个。</translation>
    </message>
    <message>
        <source>Takes %1 of %2 sites away.</source>
        <translation>从 %2 个位置中去除 %1 个。</translation>
    </message>
    <message>
        <source>%1, %2 of memory, %3 of the GPU&apos;s, %4 on disk</source>
        <translation>%1，内存 %2，GPU 显存 %3，磁盘 %4</translation>
    </message>
    <message>
        <source>%1 is no folder, and output_dir lies there</source>
        <translation>%1 不是文件夹，而 output_dir 位于其中</translation>
    </message>
    <message>
        <source>output_dir cannot be made: nothing may be written to %1</source>
        <translation>无法创建 output_dir：没有写入 %1 的权限</translation>
    </message>
    <message>
        <source>the model runs in Python (%1)</source>
        <translation>该模型在 Python 中运行（%1）</translation>
    </message>
    <message>
        <source>weights %1</source>
        <translation>权重 %1</translation>
    </message>
    <message>
        <source>their gradients %1</source>
        <translation>权重梯度 %1</translation>
    </message>
    <message>
        <source>activations %1</source>
        <translation>激活 %1</translation>
    </message>
    <message>
        <source>captures %1</source>
        <translation>捕获的张量 %1</translation>
    </message>
    <message>
        <source>operations %1</source>
        <translation>运算 %1</translation>
    </message>
    <message>
        <source>The GPU&apos;s memory at the peak of %1: %2</source>
        <translation>%1 峰值时的 GPU 显存：%2</translation>
    </message>
    <message>
        <source>%1; %2 are free</source>
        <translation>%1；空闲 %2</translation>
    </message>
    <message>
        <source>The GPU may be too small: %1 are needed, and about %2 for CUDA itself. A shorter sequence, a smaller micro-batch or the forward pass alone takes less.</source>
        <translation>GPU 显存可能不足：需要 %1，CUDA 自身另需约 %2。缩短序列、减小 micro-batch 或仅运行前向传播可减少占用。</translation>
    </message>
</context>
<context>
    <name>ulp::views::StudyForm</name>
    <message>
        <source>Settings of the study</source>
        <translation>实验的设置</translation>
    </message>
    <message>
        <source>Back to the default of %1</source>
        <translation>恢复 %1 的默认值</translation>
    </message>
</context>
<context>
    <name>ulp::views::StudyGuard</name>
    <message>
        <source>a study that was never saved</source>
        <translation>从未保存的实验</translation>
    </message>
    <message>
        <source>Ulpscope ended before the edits of %1 were saved.</source>
        <translation>Ulpscope 在保存 %1 的修改之前结束。</translation>
    </message>
    <message>
        <source>Recover the edits</source>
        <translation>恢复修改</translation>
    </message>
    <message>
        <source>Discard them</source>
        <translation>放弃修改</translation>
    </message>
    <message>
        <source>loading of the changed file</source>
        <translation>加载已更改的文件</translation>
    </message>
    <message>
        <source>%1 was changed by another program, and here as well. Loading can be undone; keeping lets the next save replace the file.</source>
        <translation>%1 已被其他程序更改，此处也有修改。加载可以撤销；保留则下次保存时替换该文件。</translation>
    </message>
    <message>
        <source>%1 was changed by another program. Loading can be undone; keeping lets the next save replace the file.</source>
        <translation>%1 已被其他程序更改。加载可以撤销；保留则下次保存时替换该文件。</translation>
    </message>
    <message>
        <source>Load the file</source>
        <translation>加载文件</translation>
    </message>
    <message>
        <source>Keep what is here</source>
        <translation>保留此处内容</translation>
    </message>
</context>
<context>
    <name>ulp::views::StudyKeys</name>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation>序列长度</translation>
    </message>
    <message>
        <source>Micro batch size</source>
        <translation>微批大小</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Include</source>
        <translation>包含</translation>
    </message>
    <message>
        <source>Exclude</source>
        <translation>排除</translation>
    </message>
    <message>
        <source>Parameter gradients</source>
        <translation>参数梯度</translation>
    </message>
    <message>
        <source>Compute dtype</source>
        <translation>计算数据类型</translation>
    </message>
    <message>
        <source>Residual dtype</source>
        <translation>残差数据类型</translation>
    </message>
    <message>
        <source>LM head dtype</source>
        <translation>LM head 数据类型</translation>
    </message>
    <message>
        <source>Cast</source>
        <translation>转换时机</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Output dir</source>
        <translation>输出目录</translation>
    </message>
    <message>
        <source>Sequences</source>
        <translation>序列数</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>对话模板</translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Padding</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>Unlabelled</source>
        <translation>无标签</translation>
    </message>
    <message>
        <source>Micro batches</source>
        <translation>微批数</translation>
    </message>
    <message>
        <source>Docs per step</source>
        <translation>每步文档数</translation>
    </message>
    <message>
        <source>Noise floor</source>
        <translation>噪声基底</translation>
    </message>
    <message>
        <source>Terms</source>
        <translation>损失项</translation>
    </message>
    <message>
        <source>Epsilon low</source>
        <translation>下裁剪 ε</translation>
    </message>
    <message>
        <source>Epsilon high</source>
        <translation>上裁剪 ε</translation>
    </message>
    <message>
        <source>Logits scale</source>
        <translation>logits 缩放</translation>
    </message>
    <message>
        <source>Advantages</source>
        <translation>优势</translation>
    </message>
    <message>
        <source>Old log probabilities</source>
        <translation>旧对数概率</translation>
    </message>
    <message>
        <source>Old noise</source>
        <translation>旧对数概率的噪声</translation>
    </message>
    <message>
        <source>Weights dtype</source>
        <translation>权重数据类型</translation>
    </message>
    <message>
        <source>Logits dtype</source>
        <translation>logits 数据类型</translation>
    </message>
    <message>
        <source>Loss dtype</source>
        <translation>损失数据类型</translation>
    </message>
    <message>
        <source>Gradient dtype</source>
        <translation>梯度数据类型</translation>
    </message>
    <message>
        <source>Norm statistics dtype</source>
        <translation>归一化统计量数据类型</translation>
    </message>
    <message>
        <source>Norm output dtype</source>
        <translation>归一化输出数据类型</translation>
    </message>
    <message>
        <source>Rotary table dtype</source>
        <translation>旋转表数据类型</translation>
    </message>
    <message>
        <source>Rotary dtype</source>
        <translation>旋转数据类型</translation>
    </message>
    <message>
        <source>Attention scores dtype</source>
        <translation>注意力分数数据类型</translation>
    </message>
    <message>
        <source>Softmax dtype</source>
        <translation>softmax 数据类型</translation>
    </message>
    <message>
        <source>Activation dtype</source>
        <translation>激活函数数据类型</translation>
    </message>
    <message>
        <source>Rounding</source>
        <translation>舍入</translation>
    </message>
    <message>
        <source>Rounding seed</source>
        <translation>舍入种子</translation>
    </message>
    <message>
        <source>Overflow</source>
        <translation>溢出</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Semantics</source>
        <translation>语义</translation>
    </message>
    <message>
        <source>Norm implementation</source>
        <translation>归一化实现</translation>
    </message>
    <message>
        <source>Rotary implementation</source>
        <translation>旋转实现</translation>
    </message>
    <message>
        <source>MLP implementation</source>
        <translation>MLP 实现</translation>
    </message>
    <message>
        <source>Attention implementation</source>
        <translation>注意力实现</translation>
    </message>
    <message>
        <source>Matmul float32 precision</source>
        <translation>矩阵乘法 float32 精度</translation>
    </message>
    <message>
        <source>Matmul reduced precision reduction</source>
        <translation>矩阵乘法低精度归约</translation>
    </message>
    <message>
        <source>Gradient scale</source>
        <translation>梯度缩放</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程数</translation>
    </message>
    <message>
        <source>Deterministic</source>
        <translation>确定性</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Precision of all variants</source>
        <translation>所有变体的精度</translation>
    </message>
    <message>
        <source>Kernels of all variants</source>
        <translation>所有变体的内核</translation>
    </message>
    <message>
        <source>Arithmetic of all variants</source>
        <translation>所有变体的运算</translation>
    </message>
    <message>
        <source>Capture</source>
        <translation>捕获</translation>
    </message>
    <message>
        <source>Device and output</source>
        <translation>设备与输出</translation>
    </message>
    <message>
        <source>What a variant does not override; see Variants.</source>
        <translation>变体未覆盖的内容；参见“变体”。</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Beta1</source>
        <translation>一阶衰减 β₁</translation>
    </message>
    <message>
        <source>Beta2</source>
        <translation>二阶衰减 β₂</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>分母项 ε</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>动量</translation>
    </message>
    <message>
        <source>Optimizer dtype</source>
        <translation>优化器数据类型</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>反向传播</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Matmul split k</source>
        <translation>矩阵乘法 split-k</translation>
    </message>
    <message>
        <source>Matmul float16 accumulation</source>
        <translation>矩阵乘法 float16 累加</translation>
    </message>
    <message>
        <source>Matmul library</source>
        <translation>矩阵乘法库</translation>
    </message>
    <message>
        <source>Attention reduced precision reduction</source>
        <translation>注意力低精度归约</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Among</source>
        <translation>同批序列数</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Padding side</source>
        <translation>填充侧</translation>
    </message>
    <message>
        <source>Chunk length</source>
        <translation>分段长度</translation>
    </message>
    <message>
        <source>Batch of all variants</source>
        <translation>所有变体的批</translation>
    </message>
    <message>
        <source>Factory</source>
        <translation>工厂函数</translation>
    </message>
    <message>
        <source>Executable</source>
        <translation>可执行文件</translation>
    </message>
    <message>
        <source>Trust code</source>
        <translation>信任代码</translation>
    </message>
    <message>
        <source>Autocast</source>
        <translation>自动混合精度 (autocast)</translation>
    </message>
    <message>
        <source>Prepare</source>
        <translation>预处理函数</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Generate</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Generated</source>
        <translation>生成部分</translation>
    </message>
    <message>
        <source>Cache dtype</source>
        <translation>缓存的数据类型</translation>
    </message>
    <message>
        <source>Compile</source>
        <translation>编译</translation>
    </message>
    <message>
        <source>Compile mode</source>
        <translation>编译模式</translation>
    </message>
    <message>
        <source>Compile backend</source>
        <translation>编译后端</translation>
    </message>
    <message>
        <source>Quantization</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Device map</source>
        <translation>设备映射</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>Matmul float8</source>
        <translation>矩阵乘法 float8</translation>
    </message>
    <message>
        <source>Matmul float8 kernel</source>
        <translation>矩阵乘法 float8 内核</translation>
    </message>
    <message>
        <source>Matmul float8 gradient</source>
        <translation>矩阵乘法 float8 梯度</translation>
    </message>
    <message>
        <source>Matmul float8 power of two scales</source>
        <translation>矩阵乘法 float8 的 2 的幂缩放因子</translation>
    </message>
    <message>
        <source>Matmul float8 fast accumulation</source>
        <translation>矩阵乘法 float8 快速累加</translation>
    </message>
    <message>
        <source>Matmul float8 modules</source>
        <translation>矩阵乘法 float8 的模块</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>进程数</translation>
    </message>
    <message>
        <source>Parallel</source>
        <translation>并行方式</translation>
    </message>
    <message>
        <source>Reduce</source>
        <translation>求和顺序</translation>
    </message>
    <message>
        <source>Launcher</source>
        <translation>启动器</translation>
    </message>
    <message>
        <source>Attention order</source>
        <translation>注意力内核顺序</translation>
    </message>
</context>
<context>
    <name>ulp::views::StudyTables</name>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>the reference</source>
        <translation>参考</translation>
    </message>
    <message>
        <source>variant %1</source>
        <translation>变体 %1</translation>
    </message>
    <message>
        <source>change of %1</source>
        <translation>更改 %1</translation>
    </message>
    <message>
        <source>%1 Problems: %2</source>
        <translation>%1 问题：%2</translation>
    </message>
    <message>
        <source>Variants: %1</source>
        <translation>变体：%1</translation>
    </message>
    <message>
        <source>Ready to run: the reference alone</source>
        <translation>可以运行：仅参考</translation>
    </message>
    <message>
        <source>Ready to run: the reference and one variant</source>
        <translation>可以运行：参考和一个变体</translation>
    </message>
    <message>
        <source>Ready to run: the reference and %1 variants</source>
        <translation>可以运行：参考和 %1 个变体</translation>
    </message>
    <message>
        <source>%1 Cannot run yet: %2</source>
        <translation>%1 尚不能运行：%2</translation>
    </message>
    <message>
        <source>No estimate: %1</source>
        <translation>无估算：%1</translation>
    </message>
    <message>
        <source>Effective configuration</source>
        <translation>有效配置</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>set by</source>
        <translation>设置者</translation>
    </message>
</context>
<context>
    <name>ulp::views::StudyView</name>
    <message>
        <source>No study is open</source>
        <translation>未打开实验</translation>
    </message>
    <message>
        <source>A study says which model runs on which input, and in which precisions.</source>
        <translation>实验说明哪个模型以哪些精度在哪些输入上运行。</translation>
    </message>
    <message>
        <source>New study</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save the study</source>
        <translation>保存实验</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Save and run the study</source>
        <translation>保存并运行实验</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>The study of this report, as it was run</source>
        <translation>此报告的实验（运行时的内容）</translation>
    </message>
    <message>
        <source>New study, not saved yet</source>
        <translation>新实验，尚未保存</translation>
    </message>
    <message>
        <source>%1, edited</source>
        <translation>%1，已修改</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Edit a copy</source>
        <translation>编辑副本</translation>
    </message>
    <message>
        <source>Make a new study of this text</source>
        <translation>用此文本新建实验</translation>
    </message>
    <message>
        <source>Settings, variants, effective configuration</source>
        <translation>设置、变体、有效配置</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Effective</source>
        <translation>有效配置</translation>
    </message>
    <message>
        <source>renaming of variant %1</source>
        <translation>重命名变体 %1</translation>
    </message>
    <message>
        <source>deletion of variant %1</source>
        <translation>删除变体 %1</translation>
    </message>
    <message>
        <source>move of variant %1</source>
        <translation>移动变体 %1</translation>
    </message>
    <message>
        <source>Results go to %1</source>
        <translation>结果将保存到 %1</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>addition of variant %1</source>
        <translation>添加变体 %1</translation>
    </message>
    <message>
        <source>%1_copy</source>
        <translation>%1_copy</translation>
    </message>
    <message>
        <source>duplication of variant %1</source>
        <translation>复制变体 %1</translation>
    </message>
    <message>
        <source>addition of %1 variants</source>
        <translation>添加 %1 个变体</translation>
    </message>
    <message>
        <source>The study was changed while the variants were made; nothing was added. Make them again.</source>
        <translation>生成变体期间实验已被更改；未添加任何内容。请重新生成。</translation>
    </message>
    <message>
        <source>Effective configuration</source>
        <translation>有效配置</translation>
    </message>
    <message>
        <source>Model, input and variants, as a form and as YAML</source>
        <translation>模型、输入和变体，以表单和 YAML 表示</translation>
    </message>
    <message>
        <source>The study stays as it is: %1.</source>
        <translation>研究保持原样：%1。</translation>
    </message>
</context>
<context>
    <name>ulp::views::SummaryTitle</name>
    <message>
        <source>mid median</source>
        <translation>中间层中位数</translation>
    </message>
    <message>
        <source>mid max</source>
        <translation>中间层最大</translation>
    </message>
    <message>
        <source>linear median</source>
        <translation>线性层中位数</translation>
    </message>
    <message>
        <source>linear max</source>
        <translation>线性层最大</translation>
    </message>
    <message>
        <source>norm median</source>
        <translation>归一化中位数</translation>
    </message>
    <message>
        <source>norm max</source>
        <translation>归一化最大</translation>
    </message>
    <message>
        <source>bias median</source>
        <translation>偏置中位数</translation>
    </message>
    <message>
        <source>bias max</source>
        <translation>偏置最大</translation>
    </message>
    <message>
        <source>state median</source>
        <translation>状态中位数</translation>
    </message>
    <message>
        <source>state max</source>
        <translation>状态最大</translation>
    </message>
    <message>
        <source>update median</source>
        <translation>更新中位数</translation>
    </message>
    <message>
        <source>update max</source>
        <translation>更新最大</translation>
    </message>
</context>
<context>
    <name>ulp::views::TableClipboard</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy cell</source>
        <translation>复制单元格</translation>
    </message>
</context>
<context>
    <name>ulp::views::TableFilter</name>
    <message>
        <source>no value is called “%1”; there are %2</source>
        <translation>没有名为“%1”的值；可用的有 %2</translation>
    </message>
    <message>
        <source>“%1” is no number, with which %2 could be compared</source>
        <translation>“%1”不是数字，无法与 %2 比较</translation>
    </message>
</context>
<context>
    <name>ulp::views::TableView</name>
    <message>
        <source>Here every tensor has a row with all its metrics, to filter, sort and copy.</source>
        <translation>这里每个张量占一行，列出其全部指标，可筛选、排序和复制。</translation>
    </message>
    <message>
        <source>All tensors</source>
        <translation>所有张量</translation>
    </message>
    <message>
        <source>Filter tensors</source>
        <translation>筛选张量</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>Current variant</source>
        <translation>当前变体</translation>
    </message>
    <message>
        <source>All variants</source>
        <translation>所有变体</translation>
    </message>
    <message>
        <source>Variants in the table</source>
        <translation>表格中的变体</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>not a valid expression</source>
        <translation>表达式无效</translation>
    </message>
    <message>
        <source>%1 tensors</source>
        <translation>%1 个张量</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Every tensor with every metric</source>
        <translation>所有张量的所有指标</translation>
    </message>
    <message>
        <source>Tensors of all variants</source>
        <translation>所有变体的张量</translation>
    </message>
    <message>
        <source>Tensors of %1</source>
        <translation>%1 的张量</translation>
    </message>
    <message>
        <source>the expression takes too long</source>
        <translation>表达式匹配步骤过多</translation>
    </message>
    <message>
        <source>Use as regular expression</source>
        <translation>作为正则表达式使用</translation>
    </message>
    <message>
        <source>Open the tensor</source>
        <translation>打开张量</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>复制名称</translation>
    </message>
    <message>
        <source>“%1” is no regular expression: %2</source>
        <translation>“%1”不是正则表达式：%2</translation>
    </message>
    <message>
        <source>No tensor has “%1” in its name, letter by letter.</source>
        <translation>没有名称中逐字含有“%1”的张量。</translation>
    </message>
    <message>
        <source>not understood</source>
        <translation>无法理解</translation>
    </message>
    <message>
        <source>Words of the name or module; variant:fp16, pass:backward, format:bf, kernel:gemm, rules:fail; values in the unit of their column: rms_rel &gt; 5, nan&gt;0, layer &lt;= 3</source>
        <translation>名称或模块中的词；variant:fp16、pass:backward、format:bf、kernel:gemm、rules:fail；数值以其列的单位书写：rms_rel &gt; 5、nan&gt;0、layer &lt;= 3</translation>
    </message>
    <message>
        <source>the tensors that the filter “%1” left out</source>
        <translation>被筛选“%1”排除的张量</translation>
    </message>
</context>
<context>
    <name>ulp::views::Tensor</name>
    <message>
        <source>%1 not finite in %2</source>
        <translation>%2 中 %1 个非有限</translation>
    </message>
    <message>
        <source>No element is finite in both tensors.</source>
        <translation>没有在两个张量中均为有限值的元素。</translation>
    </message>
    <message>
        <source>holds all of B</source>
        <translation>可容纳 B 的全部</translation>
    </message>
    <message>
        <source>overflow %1</source>
        <translation>上溢 %1</translation>
    </message>
    <message>
        <source>underflow %1</source>
        <translation>下溢 %1</translation>
    </message>
    <message>
        <source>value, logarithmic on both sides of zero</source>
        <translation>值（零两侧为对数）</translation>
    </message>
    <message>
        <source>No element is finite.</source>
        <translation>没有有限的元素。</translation>
    </message>
    <message>
        <source>Exponents of A and B, and what formats hold</source>
        <translation>A 和 B 的指数，以及各格式可容纳的范围</translation>
    </message>
    <message>
        <source>exponent: 2^e ≤ |value| &lt; 2^(e + 1)</source>
        <translation>指数：2^e ≤ |值| &lt; 2^(e + 1)</translation>
    </message>
    <message>
        <source>No element is finite and other than zero.</source>
        <translation>没有有限且非零的元素。</translation>
    </message>
    <message>
        <source>A; linear near zero, logarithmic beyond</source>
        <translation>A；零附近为线性，其外为对数</translation>
    </message>
    <message>
        <source>%1 not finite</source>
        <translation>%1 个非有限</translation>
    </message>
    <message>
        <source>Point at an element, or select one, to see its row and column.</source>
        <translation>指向或选择一个元素以查看其行和列。</translation>
    </message>
    <message>
        <source>There is a single element along this direction.</source>
        <translation>此方向上只有一个元素。</translation>
    </message>
    <message>
        <source>%1: %2 NaN, %3 +Inf, %4 −Inf</source>
        <translation>%1：%2 个 NaN，%3 个 +Inf，%4 个 −Inf</translation>
    </message>
    <message>
        <source>reading was stopped</source>
        <translation>读取已停止</translation>
    </message>
    <message>
        <source>reading every element</source>
        <translation>正在读取所有元素</translation>
    </message>
    <message>
        <source>RMS of the sample %1</source>
        <translation>采样的 RMS %1</translation>
    </message>
    <message>
        <source>RMS %1</source>
        <translation>RMS %1</translation>
    </message>
    <message>
        <source>equal %1 %</source>
        <translation>相等 %1 %</translation>
    </message>
    <message>
        <source>Relative</source>
        <translation>相对</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>批</translation>
    </message>
    <message>
        <source>token</source>
        <translation>token</translation>
    </message>
    <message>
        <source>channel</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>head</source>
        <translation>head</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>sample</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>dim %1</source>
        <translation>维度 %1</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>Element</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Enter or a double click shows it in the picture</source>
        <translation>按回车或双击以在图中显示</translation>
    </message>
    <message>
        <source>Values of A, B and B − A</source>
        <translation>A、B 与 B − A 的值</translation>
    </message>
    <message>
        <source>B, %1, against A, %2</source>
        <translation>B（%1）对比 A（%2）</translation>
    </message>
    <message>
        <source>B − A, %1 minus %2</source>
        <translation>B − A，%1 减 %2</translation>
    </message>
    <message>
        <source>|B − A|, absolute difference of %1</source>
        <translation>|B − A|，%1 的绝对差</translation>
    </message>
    <message>
        <source>|B − A| / |A|, relative difference of %1</source>
        <translation>|B − A| / |A|，%1 的相对差</translation>
    </message>
    <message>
        <source>|B − A| in ULP of %1, %2</source>
        <translation>|B − A|，以 %1 的 ULP 计，%2</translation>
    </message>
    <message>
        <source>max |B − A| at least %1</source>
        <translation>max |B − A| 至少 %1</translation>
    </message>
    <message>
        <source>max |B − A| %1</source>
        <translation>max |B − A| %1</translation>
    </message>
    <message>
        <source>every element is finite</source>
        <translation>每个元素都是有限的</translation>
    </message>
    <message>
        <source>%1 NaN, %2 +Inf, %3 −Inf</source>
        <translation>%1 个 NaN，%2 个 +Inf，%3 个 −Inf</translation>
    </message>
    <message>
        <source>on another machine: what is seen of it is fetched</source>
        <translation>位于另一台计算机：只获取可见部分</translation>
    </message>
</context>
<context>
    <name>ulp::views::TensorInspector</name>
    <message>
        <source>Every element is being read. This appears when it is done.</source>
        <translation>正在读取所有元素，完成后显示。</translation>
    </message>
    <message>
        <source>Density of B against A</source>
        <translation>B 对 A 的密度</translation>
    </message>
    <message>
        <source>Histogram of exponents</source>
        <translation>指数直方图</translation>
    </message>
    <message>
        <source>Profile along the row</source>
        <translation>沿行的剖面</translation>
    </message>
    <message>
        <source>Profile along the column</source>
        <translation>沿列的剖面</translation>
    </message>
    <message>
        <source>Analyses of the tensor</source>
        <translation>张量分析</translation>
    </message>
    <message>
        <source>Worst</source>
        <translation>最差</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Exponents</source>
        <translation>指数</translation>
    </message>
    <message>
        <source>Profiles</source>
        <translation>剖面</translation>
    </message>
    <message>
        <source>Elements of largest difference</source>
        <translation>差异最大的元素</translation>
    </message>
    <message numerus="yes">
        <source>The %n worst of the report, until every element is read</source>
        <translation>
            <numerusform>报告中最差的 %n 个（直到读取完所有元素）</numerusform>
        </translation>
    </message>
    <message>
        <source>Every element is being read.</source>
        <translation>正在读取所有元素。</translation>
    </message>
    <message>
        <source>No element that is finite in both differs.</source>
        <translation>两者均为有限值的元素没有差异。</translation>
    </message>
    <message numerus="yes">
        <source>The %n worst of all elements</source>
        <translation>
            <numerusform>所有元素中最差的 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Exponents of A and B</source>
        <translation>A 和 B 的指数</translation>
    </message>
    <message>
        <source>B against A</source>
        <translation>B 对 A</translation>
    </message>
    <message>
        <source>A near %1, B near %2: %3 elements</source>
        <translation>A 接近 %1，B 接近 %2：%3 个元素</translation>
    </message>
    <message>
        <source>Element</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>What narrower formats would lose</source>
        <translation>更窄的格式会丢失的内容</translation>
    </message>
    <message>
        <source>Histograms of A, B and B − A</source>
        <translation>A、B 与 B − A 的直方图</translation>
    </message>
    <message>
        <source>B over A</source>
        <translation>B 对 A</translation>
    </message>
    <message>
        <source>Values of A, B and B − A</source>
        <translation>A、B 与 B − A 的值</translation>
    </message>
    <message>
        <source>%1 not finite</source>
        <translation>%1 个非有限</translation>
    </message>
    <message>
        <source>Exponents, and what formats hold</source>
        <translation>指数，以及各格式可容纳的范围</translation>
    </message>
</context>
<context>
    <name>ulp::views::TensorPairSource</name>
    <message>
        <source>No tensor is selected</source>
        <translation>未选择张量</translation>
    </message>
    <message>
        <source>Click a cell of the overview, a point of a chart, or a row of the table.</source>
        <translation>请单击概览中的单元格、图表中的点或表格中的行。</translation>
    </message>
    <message>
        <source>The report has no such tensor</source>
        <translation>报告中没有这个张量</translation>
    </message>
    <message>
        <source>Choose another one in the overview, a chart or the table.</source>
        <translation>请在概览、图表或表格中选择其他张量。</translation>
    </message>
    <message>
        <source>This report kept no tensors</source>
        <translation>此报告未保留张量</translation>
    </message>
    <message>
        <source>The tensors themselves are shown here when a study keeps them: set “capture.tensors: full” in the study and run it again.</source>
        <translation>当实验保留张量时，这里会显示张量本身：请在实验中设置“capture.tensors: full”并重新运行。</translation>
    </message>
    <message>
        <source>The file of captured tensors cannot be read</source>
        <translation>无法读取捕获张量的文件</translation>
    </message>
    <message>
        <source>%1
Run the study again to write it anew.</source>
        <translation>%1
请重新运行实验以重新写入。</translation>
    </message>
    <message>
        <source>%1 (%2) was not kept for “%3”</source>
        <translation>“%3”未保留 %1（%2）</translation>
    </message>
    <message>
        <source>The study keeps other tensors: see capture.level, capture.include and capture.exclude in it.</source>
        <translation>实验保留的是其他张量：参见其中的 capture.level、capture.include 和 capture.exclude。</translation>
    </message>
    <message>
        <source>“%1” has no tensors yet</source>
        <translation>“%1”尚无张量</translation>
    </message>
    <message>
        <source>They can be shown once the run has finished.</source>
        <translation>运行完成后即可显示。</translation>
    </message>
    <message>
        <source>The tensors of “%1” cannot be read</source>
        <translation>无法读取“%1”的张量</translation>
    </message>
    <message>
        <source>The tensor cannot be read</source>
        <translation>无法读取该张量</translation>
    </message>
    <message>
        <source>The two tensors differ in shape</source>
        <translation>两个张量形状不同</translation>
    </message>
    <message>
        <source>The two tensors cannot be compared</source>
        <translation>无法比较这两个张量</translation>
    </message>
    <message>
        <source>The tensor has no elements</source>
        <translation>该张量没有元素</translation>
    </message>
    <message>
        <source>Its shape is %1.</source>
        <translation>其形状为 %1。</translation>
    </message>
    <message>
        <source>The tensors of this report are gone</source>
        <translation>此报告的张量已不存在</translation>
    </message>
    <message>
        <source>%1
The study kept them. Put tensors.h5 and the folder tensors back beside the report, or run the study again.</source>
        <translation>%1
该研究曾保存这些张量。请将 tensors.h5 和 tensors 文件夹放回报告旁边，或重新运行该研究。</translation>
    </message>
    <message>
        <source>%1 has %2, %3 has %4, so that elements cannot be paired.</source>
        <translation>%1 为 %2，%3 为 %4，因此元素无法配对。</translation>
    </message>
</context>
<context>
    <name>ulp::views::TensorPanes</name>
    <message>
        <source> – being read</source>
        <translation> – 正在读取</translation>
    </message>
    <message>
        <source> – preview, one element of each cell</source>
        <translation> – 预览，每格一个元素</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>largest magnitude</source>
        <translation>最大幅值</translation>
    </message>
    <message>
        <source> – %1 of %2 × %3 elements a cell</source>
        <translation> – 每格 %2 × %3 个元素的%1</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>on another machine; click to fetch it</source>
        <translation>位于另一台计算机；单击以获取</translation>
    </message>
</context>
<context>
    <name>ulp::views::TensorTable</name>
    <message>
        <source>%1 noise floor</source>
        <translation>%1 噪声基底</translation>
    </message>
    <message>
        <source>Gain error</source>
        <translation>增益误差</translation>
    </message>
    <message>
        <source>Gain error ±</source>
        <translation>增益误差 ±</translation>
    </message>
    <message>
        <source>Systematic</source>
        <translation>系统性</translation>
    </message>
    <message>
        <source>Half of the 95 % interval of the mean over the samples (Student&apos;s t), of the metric that charts show</source>
        <translation>图表所示指标在各样本上均值的 95 % 区间的一半（Student t）</translation>
    </message>
    <message>
        <source>How far the reference is from itself, in the metric that charts show: what is no worse need not be an effect of the variant</source>
        <translation>以图表所示指标衡量，参考与其自身相差多少：不比它差的未必是变体的影响</translation>
    </message>
    <message>
        <source>Half of the 95 % interval of the gain error</source>
        <translation>增益误差 95 % 区间的一半</translation>
    </message>
    <message>
        <source>Whether the 95 % interval of the gain error excludes 0: the error has a direction</source>
        <translation>增益误差的 95 % 区间是否不含 0：误差有方向</translation>
    </message>
    <message>
        <source>How much larger (+) or smaller (−) the tensor is than that of %1, along it; mean over the samples</source>
        <translation>该张量沿 %1 的张量方向大（+）或小（−）多少；各样本的平均</translation>
    </message>
    <message>
        <source>Flipped tokens</source>
        <translation>翻转的 token</translation>
    </message>
    <message>
        <source>Tokens for which the router, that of the block or those of the layer choose other experts than in %1</source>
        <translation>路由器、模块的路由器或该层的路由器选择了与 %1 不同专家的 token</translation>
    </message>
</context>
<context>
    <name>ulp::views::TensorTableModel</name>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>传播方向</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>Not finite</source>
        <translation>非有限</translation>
    </message>
    <message>
        <source>systematic</source>
        <translation>系统性</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
</context>
<context>
    <name>ulp::views::TensorView</name>
    <message>
        <source>Four pictures beside each other</source>
        <translation>四幅图并排</translation>
    </message>
    <message>
        <source>Mean of each cell instead of its extreme</source>
        <translation>用每格的平均值代替极值</translation>
    </message>
    <message>
        <source>Blink between A and B (Space)</source>
        <translation>在 A 和 B 之间闪烁（空格）</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Go to element…</source>
        <translation>转到元素…</translation>
    </message>
    <message>
        <source>Element</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Position of an element, as 0, 5, 17; Return goes there (Ctrl+G)</source>
        <translation>元素的位置，例如 0, 5, 17；按回车转到（Ctrl+G）</translation>
    </message>
    <message>
        <source>Statistics of the tensor</source>
        <translation>张量统计</translation>
    </message>
    <message>
        <source>Progress of reading</source>
        <translation>读取进度</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stops reading; what is shown stays</source>
        <translation>停止读取；已显示的内容会保留</translation>
    </message>
    <message>
        <source>Here the selected tensor is shown element by element, reference and variant.</source>
        <translation>这里逐元素显示所选张量的参考和变体。</translation>
    </message>
    <message>
        <source>Open the study</source>
        <translation>打开实验</translation>
    </message>
    <message>
        <source>Sample: 1 of %1 elements was kept, from a tensor of shape %2</source>
        <translation>采样：每 %1 个元素保留 1 个，取自形状为 %2 的张量</translation>
    </message>
    <message>
        <source>Along the row, %1</source>
        <translation>沿行，%1</translation>
    </message>
    <message>
        <source>Along the column, %1</source>
        <translation>沿列，%1</translation>
    </message>
    <message>
        <source>The sample holds no element at %1.</source>
        <translation>采样中没有位于 %1 的元素。</translation>
    </message>
    <message>
        <source>%1 is no element of a tensor of shape %2.</source>
        <translation>%1 不是形状为 %2 的张量的元素。</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>The selected tensor element by element</source>
        <translation>逐元素显示所选张量</translation>
    </message>
    <message>
        <source>Fetch all (%1)</source>
        <translation>全部获取（%1）</translation>
    </message>
    <message>
        <source>Fetches every element from the other machine, for statistics and exact pictures</source>
        <translation>从另一台计算机获取所有元素，用于统计和精确图像</translation>
    </message>
</context>
<context>
    <name>ulp::views::ThresholdPane</name>
    <message>
        <source>Restore defaults</source>
        <translation>恢复默认值</translation>
    </message>
    <message>
        <source>Thresholds of the rules</source>
        <translation>规则的阈值</translation>
    </message>
    <message>
        <source>%1. Default: %2</source>
        <translation>%1。默认：%2</translation>
    </message>
</context>
<context>
    <name>ulp::views::UlpHelp</name>
    <message>
        <source>not shown: ULP of two formats say nothing together</source>
        <translation>不显示：两种格式的 ULP 放在一起没有意义</translation>
    </message>
    <message>
        <source>in ULP of %1</source>
        <translation>以 %1 的 ULP 计</translation>
    </message>
    <message>
        <source>not shown: %1 ULP of %2, which has fewer numbers; %3 is 0 where they come from, or next to 0</source>
        <translation>不显示：%2 的 %1 ULP，而该格式没有这么多数；其来源处 %3 为 0 或接近 0</translation>
    </message>
</context>
<context>
    <name>ulp::views::VariantsModel</name>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>study</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>fp32 everywhere</source>
        <translation>全部 fp32</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>参考</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>command line</source>
        <translation>命令行</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>%1 overrides %2</source>
        <translation>%1 覆盖 %2</translation>
    </message>
    <message>
        <source>Not overridden; set by: %1</source>
        <translation>未覆盖；设置者：%1</translation>
    </message>
    <message>
        <source>Runs first, in float32 unless overridden; the variants are compared with it</source>
        <translation>最先运行，除非被覆盖否则使用 float32；各变体与之比较</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
</context>
<context>
    <name>ulp::views::VariantsPanel</name>
    <message>
        <source>Variants and their overrides</source>
        <translation>变体及其覆盖项</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Add a variant</source>
        <translation>添加变体</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Add a copy of the selected variant</source>
        <translation>添加所选变体的副本</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Rename the selected variant</source>
        <translation>重命名所选变体</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Delete the selected variant</source>
        <translation>删除所选变体</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Run the selected variant earlier</source>
        <translation>提前运行所选变体</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Run the selected variant later</source>
        <translation>推后运行所选变体</translation>
    </message>
    <message>
        <source>Override</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>Override a key in the selected run</source>
        <translation>在所选运行中覆盖一个键</translation>
    </message>
    <message>
        <source>Grid…</source>
        <translation>网格…</translation>
    </message>
    <message>
        <source>Make variants of all combinations of values</source>
        <translation>生成所有取值组合的变体</translation>
    </message>
    <message>
        <source>Double-click a cell to change it: Enter takes the text over, Escape drops it. Dim values are not overridden: they come from the study or the defaults.</source>
        <translation>双击单元格即可修改：Enter 采用文本，Escape 放弃。暗色的值未被覆盖：它们来自研究或默认值。</translation>
    </message>
</context>
<context>
    <name>ulp::views::View</name>
    <message>
        <source>For %1 to be seen, %2 now shows %3.</source>
        <translation>为了显示 %1，%2 现在显示%3。</translation>
    </message>
    <message>
        <source>Change back</source>
        <translation>改回</translation>
    </message>
</context>
<context>
    <name>ulp::views::YamlEditor</name>
    <message>
        <source>Study as YAML</source>
        <translation>YAML 格式的实验</translation>
    </message>
    <message>
        <source>Completions</source>
        <translation>补全</translation>
    </message>
</context>
<context>
    <name>ulp::views::charts::ClassLegend</name>
    <message>
        <source>Cells with a look of their own</source>
        <translation>具有特殊外观的单元格</translation>
    </message>
</context>
<context>
    <name>ulp::views::charts::DepthChart</name>
    <message>
        <source>Error by depth</source>
        <translation>各深度的误差</translation>
    </message>
    <message>
        <source>%1: no value</source>
        <translation>%1：无值</translation>
    </message>
    <message>
        <source>%1, %2 elements are not finite</source>
        <translation>%1，%2 个元素非有限</translation>
    </message>
    <message>
        <source>%1 by depth. Tensors: %2. Variants: %3. Arrows walk tensors and variants.</source>
        <translation>各深度的%1。张量：%2。变体：%3。方向键在张量和变体之间移动。</translation>
    </message>
    <message>
        <source>%1, within noise</source>
        <translation>%1，在噪声范围内</translation>
    </message>
</context>
<context>
    <name>ulp::views::charts::DepthPanels</name>
    <message>
        <source>Error by depth, one panel for each variant</source>
        <translation>各深度的误差，每个变体一个面板</translation>
    </message>
</context>
<context>
    <name>ulp::views::charts::HistogramView</name>
    <message>
        <source>Histogram of %1 in %2 bins: %3</source>
        <translation>%1 的直方图，共 %2 个区间：%3</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>直方图</translation>
    </message>
</context>
<context>
    <name>ulp::views::charts::RangeBar</name>
    <message>
        <source>Colour range</source>
        <translation>颜色范围</translation>
    </message>
    <message>
        <source>Drag an end to choose which values the colours tell apart; double click shows them all. Keys: left and right move the active end, up and down choose it.</source>
        <translation>拖动端点以选择颜色所区分的数值；双击显示全部。按键：左右移动活动端点，上下选择端点。</translation>
    </message>
    <message>
        <source>From %1 to %2; %3 is active.</source>
        <translation>从 %1 到 %2；%3为活动端点。</translation>
    </message>
    <message>
        <source>the low end</source>
        <translation>低端</translation>
    </message>
    <message>
        <source>the high end</source>
        <translation>高端</translation>
    </message>
</context>
<context>
    <name>ulp::views::charts::RangeControl</name>
    <message>
        <source>Fit range</source>
        <translation>适应范围</translation>
    </message>
    <message>
        <source>Always fit</source>
        <translation>始终适应</translation>
    </message>
    <message>
        <source>Sets the ends to the smallest and the largest value shown</source>
        <translation>将端点设为所显示的最小值和最大值</translation>
    </message>
    <message>
        <source>Fits the range whenever other values are shown</source>
        <translation>显示的数值改变时自动适应范围</translation>
    </message>
</context>
<context>
    <name>ulp::views::charts::RasterWidget</name>
    <message>
        <source>Heatmap</source>
        <translation>热力图</translation>
    </message>
    <message>
        <source>%1: missing</source>
        <translation>%1：缺失</translation>
    </message>
    <message>
        <source>Rows: %1. Columns: %2. Arrows walk the cells.</source>
        <translation>行：%1。列：%2。用方向键在单元格间移动。</translation>
    </message>
</context>
<context>
    <name>ulp::views::charts::VariantLegend</name>
    <message>
        <source>Variants</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Use as noise band</source>
        <translation>用作噪声带</translation>
    </message>
    <message>
        <source>Shade what is no worse than this variant</source>
        <translation>为不差于此变体的部分加阴影</translation>
    </message>
    <message>
        <source>noise: %1</source>
        <translation>噪声：%1</translation>
    </message>
    <message>
        <source>Show alone</source>
        <translation>单独显示</translation>
    </message>
    <message>
        <source>has the same values as %1</source>
        <translation>与 %1 的值相同</translation>
    </message>
    <message>
        <source>A click on the name shows it alone, another one all of them.</source>
        <translation>单击名称仅显示该项，再次单击显示全部。</translation>
    </message>
</context>
</TS>
